"""Settings of the generative mind, with the paper's values as defaults (specs: Park et al. 2023, sections 4 and 5)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from memory import Exposure, Selector


class MindSettings(BaseModel):
    """One field per parameter; unknown keys are refused by the scenario loader with the nearest known one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    attention_bandwidth: Annotated[int, Field(ge=1)] = 3
    """How many of the nearest new percepts are taken in at once (3; 8 in the original's 25-resident base)."""
    retention: Annotated[int, Field(ge=0)] = 5
    """A percept equal to one of so many latest observations isn't news (5; 8)."""
    retrieve: Annotated[int, Field(ge=1)] = 30
    """Records retrieved for a moment."""
    weight_recency: Annotated[float, Field(ge=0)] = 1.0
    weight_importance: Annotated[float, Field(ge=0)] = 1.0
    weight_relevance: Annotated[float, Field(ge=0)] = 1.0
    recency_decay: Annotated[float, Field(gt=0, le=1)] = 0.995
    """Per game hour since last access."""
    reflection_threshold: Annotated[int, Field(ge=1)] = 150
    """Summed importance of events since the last reflection that starts one."""
    reflection_window: Annotated[int, Field(ge=1)] = 100
    """Latest records the questions are asked of."""
    reflection_questions: Annotated[int, Field(ge=1)] = 3
    reflection_insights: Annotated[int, Field(ge=1)] = 5
    talk_cooldown_minutes: Annotated[float, Field(ge=0)] = 120
    """A pair that has just talked doesn't start again for so long."""
    talk_rest_minutes: Annotated[float, Field(ge=0)] = 20
    """After any conversation one gets on with one's own things for so long before opening another."""
    earshot_aside: Annotated[int, Field(ge=0)] = 2
    """How near (tiles) somebody outside a conversation must be to make out its words."""
    topics: Annotated[int, Field(ge=1)] = 12
    """Retrieved recollections a speaker has at hand, beside the news they carry."""
    exposure: Selector = "weighted"
    """What of its past a resident is shown when it decides: `weighted` (the paper's scores), `recency`, or `priority`
    (one's own failed acts first); see `memory.exposure`."""
    max_records: Annotated[int, Field(ge=1)] | None = None
    """Most records shown at one decision; none: no cap."""
    max_bytes: Annotated[int, Field(ge=2)] | None = None
    """Most bytes of records shown at one decision, as canonical UTF-8 JSON of all of them; none: no cap."""
    reflect: bool = True
    plan: bool = True
    """Switched off in whole-trajectory ablations: no reflections are made; routines are followed without a plan."""

    @property
    def exposed(self) -> Exposure:
        """Selector and caps together."""
        return Exposure(self.exposure, self.max_records, self.max_bytes)
