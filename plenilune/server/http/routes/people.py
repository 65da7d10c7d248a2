"""Who somebody is: guests, and their API keys."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from plenilune.server import protocol
from plenilune.server.clock import now
from plenilune.server.http.call import Call, Handlers, json_answer
from plenilune.server.http.identity import delete_cookies, encrypted, presented, set_cookie


async def whoami(call: Call) -> protocol.Whoami:
    me = call.person and protocol.Me(call.person.id, call.person.name)
    return protocol.Whoami(me, now())


async def introduce(call: Call) -> Any:
    asked: protocol.Guest = call.body
    people = call.server.people
    if asked.key:
        call.allow("key")
    if call.person:
        call.allow("name")
        return await people.rename(call.person, presented(call.request), asked.name, asked.key)
    call.allow("guest")
    person, secret = await people.welcome(asked.name, call.network, asked.key)
    if asked.key:
        return protocol.Me(person.id, person.name, secret)
    response = json_answer(protocol.Me(person.id, person.name))
    set_cookie(response, secret, encrypted(call.request))
    return response


async def forget(call: Call) -> Response:
    if call.person:
        await call.server.delete(call.person, presented(call.request))
    response = json_answer(protocol.Whoami(None, now()))
    delete_cookies(response, call.request)
    return response


# API keys


async def show_keys(call: Call) -> protocol.Keys:
    return protocol.Keys(await call.server.store.people.keys(call.me.id, presented(call.request)))


async def add_key(call: Call) -> protocol.Key:
    call.allow("key")
    return await call.server.people.add_key(call.me, presented(call.request), call.body.label)


async def revoke_key(call: Call) -> protocol.Keys:
    await call.server.revoke_key(call.me, presented(call.request), call.request.path_params["key"])
    return await show_keys(call)


HANDLERS: Handlers = {
    ("GET", "/api/me"): whoami,
    ("POST", "/api/me"): introduce,
    ("DELETE", "/api/me"): forget,
    ("GET", "/api/keys"): show_keys,
    ("POST", "/api/keys"): add_key,
    ("DELETE", "/api/keys/{key}"): revoke_key,
}
