"""Tools that reach the web: WebFetch, WebSearch (specs/claude-code.md 6)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from promptscope_engine.agents.claude_code import gates
from promptscope_engine.agents.claude_code.materials import Materials
from promptscope_engine.agents.claude_code.wording import lines
from promptscope_engine.prompt.drafts import Piece, builtin, computed

from .schema import ToolText, array, integer, parameters, string

# --- WebFetch ---------------------------------------------------------------------------------------------------------


def _fetch(m: Materials) -> Iterator[Piece]:
    long = m.gates.layout_is("A", "A'")
    yield from lines("tools.WebFetch", _FETCH, when=long)
    yield builtin("tools.WebFetch.localhost", _LOCALHOST, when=long & ~gates.IS_100)
    yield from lines("tools.WebFetch", _FETCH_NOTES, before="\n", when=long)
    yield builtin("tools.WebFetch.cache", _CACHE_100, when=long & gates.IS_100)
    yield builtin("tools.WebFetch.cache", _CACHE_329, when=long & ~gates.IS_100)
    yield from lines("tools.WebFetch", _FETCH_END, before="\n", when=long)
    yield from lines("tools.WebFetch.short", _FETCH_SHORT, when=m.gates.layout_is("B"))


_FETCH = {
    "authenticated": "IMPORTANT: Pages that ask for a login CANNOT be had with WebFetch, and private ones cannot either. Look at the URL before you try: does it belong to a service with accounts (a company's wiki, shared documents, a ticket system)? Then find an MCP tool that is signed in there.",
    "purpose": "\n- Gets a page by its URL and lets an AI model work on what it says",
    "inputs": "- What it needs: a URL and a prompt",
    "conversion": "- The page is fetched, and its HTML made markdown",
    "model": "- A model that is small and fast gets this along with the prompt",
    "returns": "- What the model answers is what you get back",
    "use": "- Use it when something on the web has to be read and evaluated",
    "notes": "\nUsage notes:",
    "prefer_mcp": "  - IMPORTANT: If some MCP server has a tool for fetching web pages, it is the better choice, since it may reach more than this one can.",
    "valid": "  - The URL must be valid, and complete",
    "https": "  - From http the tool goes over to https itself",
}
_LOCALHOST = (
    "\n  - Nothing on localhost or in a private network can be reached; take curl in a shell for your own server."
)
_FETCH_NOTES = {
    "prompt": "  - Put into the prompt what exactly you would like to learn from the page",
    "read_only": "  - It only reads; no file is changed by its calls",
    "long": "  - What is very long may reach you in a shorter form",
}
_CACHE_100 = "\n  - Results are kept in a cache for 15 minutes, so that asking for a URL again costs less time"
_CACHE_329 = "\n  - Results are kept in a cache for 15 minutes, so that asking for a URL again, with another prompt too, costs less time"
_FETCH_END = {
    "redirects": "  - When a URL turns out to be redirected to some other host, that host is not visited. You are told the address it points to, in a format made for that purpose, and call WebFetch once more with this address.",
    "github": "  - With GitHub the gh CLI does better, by way of Bash (such as gh pr view, gh issue view, gh api).",
}
_FETCH_SHORT = {
    "purpose": "Gets a page by its URL, makes markdown of it and lets a small model answer your prompt on that content.",
    "private": "\n- Fails where a URL is private or asks for a login; an MCP tool or `gh` gets you in there",
    "localhost": "- Fails with localhost and private networks; take curl in a shell for a server of your own",
    "redirects": "- http becomes https. Redirects to other hosts are returned to you and not followed; call again with the new address",
    "cache": "- Results stay in a cache for 15 minutes",
}
_URL = string("The address of the page", format="uri")
_PROMPT = string("What the model is to do with the page")
WEB_FETCH_100 = ToolText(_fetch, parameters({"url": _URL, "prompt": _PROMPT}, "url", "prompt"))
WEB_FETCH_329 = ToolText(
    _fetch,
    parameters(
        {
            "url": _URL,
            "prompt": _PROMPT,
            "offset": integer(
                "Where in the content to begin, counted in characters. Use it to go on with a page that was cut off, with the value which the last result has named.",
                minimum=0,
            ),
        },
        "url",
        "prompt",
    ),
)

# --- WebSearch --------------------------------------------------------------------------------------------------------


def _search(m: Materials) -> Iterator[Piece]:
    long = m.gates.layout_is("A", "A'")
    yield from lines("tools.WebSearch", _SEARCH, when=long)
    yield builtin("tools.WebSearch.month", "\n  - It is ", when=long & gates.IS_100)
    yield computed("month", _month(m), when=long & gates.IS_100)
    yield builtin("tools.WebSearch.month", _MONTH_100, when=long & gates.IS_100)
    yield builtin("tools.WebSearch.month", _MONTH_329, when=long & ~gates.IS_100)
    yield builtin("tools.WebSearch.example", _YEAR_EXAMPLE, when=long)
    yield from lines("tools.WebSearch.short", _SEARCH_SHORT, when=m.gates.layout_is("B"))


def _month(m: Materials) -> str:
    """`November 2026`."""
    day = date.fromisoformat((m.inputs.environment.date or "")[:10])
    return f"{_MONTHS[day.month - 1]} {day.year}"


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

_SEARCH = {
    "purpose": "\n- Searches the web, so that Claude can base its answers on what is found",
    "current": "- Gets you facts that are new: events, releases, figures of today",
    "format": "- The results are given in blocks, and each of them has its links written as hyperlinks of markdown",
    "use": "- The choice for what Claude cannot know, being later than its cutoff",
    "automatic": "- All of the searching is done while a single API call lasts",
    "sources": "\nREQUIRED with this tool, without exception:",
    "sources_end": '  - An answer that uses what a search has found MUST end in a section headed "Sources:" that stands last',
    "sources_all": "  - In it goes every URL from the results that has contributed, written as a link of markdown: [Title](URL)",
    "sources_always": "  - This is MANDATORY: there is no answer too short for sources",
    "sources_format": "  - As follows:",
    "sources_answer": "\n    [Your text here]",
    "sources_label": "\n    Sources:",
    "sources_first": "    - [A first title](https://example.org/a)",
    "sources_second": "    - [Another title](https://example.org/b)",
    "notes": "\nUsage notes:",
    "domains": "  - Results can be limited to certain domains, or kept from others",
    "country": "  - It works in the US and nowhere else",
    "year": "\nIMPORTANT - Search with the year that it really is:",
}
_MONTH_100 = ". Whoever looks for something recent, for documentation or for what happens just now has to put this year into the query."
_MONTH_329 = "\n  - The conversation tells you which month it is. Whoever looks for something recent, for documentation or for what happens just now has to put that year in a query."
_YEAR_EXAMPLE = '\n  - Example: somebody wants "the latest React docs". Then search for "React documentation" and this year, and not the last one\n'
_SEARCH_SHORT = {
    "purpose": "Searches the web and returns results with links. Only in the US.",
    "month": "\n- Which month it is stands in the conversation: put that year into a query that is about something recent",
    "domains": "- Results can be limited to domains, or kept from some",
    "sources": '- An answer that uses results ends in a list "Sources:" with every URL used, as markdown links',
}
WEB_SEARCH = ToolText(
    _search,
    parameters(
        {
            "query": string("What to search for", minLength=2),
            "allowed_domains": array(string(), "Return results from these domains alone"),
            "blocked_domains": array(string(), "Return no results from these domains"),
        },
        "query",
    ),
)
