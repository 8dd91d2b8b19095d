"""Plans: the diary derived from memory, a day in parts and hours, tasks settled at places."""

from planning.diary import Appointment, appointments
from planning.places import Places
from planning.schedule import Block, Part, PlanEntry, Schedule, Slot

__all__ = ["Appointment", "Block", "Part", "Places", "PlanEntry", "Schedule", "Slot", "appointments"]
