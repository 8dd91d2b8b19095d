"""The offline model and its responders.

Importing this package registers every built-in responder: the responder modules are imported below, after the registry
they register with. They import from modules (`language.operations`), never from the package `language` itself, which
imports this one.
"""

from language.offline import answering as _answering
from language.offline import day as _day
from language.offline import hours as _hours
from language.offline import rating as _rating
from language.offline import reacting as _reacting
from language.offline import recalling as _recalling
from language.offline import reflecting as _reflecting
from language.offline import self_summary as _self_summary
from language.offline import settling as _settling
from language.offline import talking as _talking
from language.offline import tasks as _tasks
from language.offline.model import OfflineModel
from language.offline.registry import Responder, responder, responder_for

# Responder modules, one import each:   from language.offline import NAME as _NAME

_MODULES = (_answering, _day, _hours, _rating, _reacting, _recalling, _reflecting, _self_summary, _settling, _talking, _tasks)

__all__ = ["OfflineModel", "Responder", "responder", "responder_for"]
