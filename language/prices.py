"""What a model's tokens cost, from genai-prices' list inside its wheel; never guessed.

    find_rates(model, base_url)     US dollars per million tokens in and out, or None where nobody knows
    cost(rates, tokens_in, tokens_out)

A server at an address the list doesn't know has no known price, whatever its models are called: the same model costs
nothing on one's own machine and something behind a gateway. The user's file of servers can say it (`price`).
"""

from __future__ import annotations

from functools import cache

from language.servers import Rates

_SAMPLE = 1_000


@cache
def find_rates(model: str, base_url: str) -> Rates | None:
    """List prices of a model at an address (its lowest tier, without discounts for cached prefixes or batches)."""
    from genai_prices import Usage, calc_price

    try:
        found = calc_price(Usage(input_tokens=_SAMPLE, output_tokens=_SAMPLE), model_ref=model, provider_api_url=base_url)
    except (LookupError, ValueError):
        return None
    million = 1_000_000 / _SAMPLE
    return Rates(input=float(found.input_price) * million, output=float(found.output_price) * million)


def cost(rates: Rates, tokens_in: int, tokens_out: int) -> float:
    """US dollars."""
    return (tokens_in * rates.input + tokens_out * rates.output) / 1_000_000
