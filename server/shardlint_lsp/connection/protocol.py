"""The protocol as pygls speaks it, but strict where it is lax: every request is answered, nothing that comes
ends the server, and texts are kept by us and not twice."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

from cattrs import transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

from shardlint_lsp.connection.envelope import Message, fault_of, is_id
from shardlint_lsp.connection.framing import Malformed
from shardlint_lsp.connection.writer import Writer

if TYPE_CHECKING:
    from shardlint_lsp.server import ShardlintServer

log = logging.getLogger("shardlint")
_METHOD: contextvars.ContextVar[str] = contextvars.ContextVar("method", default="a notification")
"""The notification that is worked on."""


class Protocol(LanguageServerProtocol):
    """pygls splits lines at more characters than the protocol does, so its own texts are left unused."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._owner: ShardlintServer = server
        self._ended: asyncio.Future[int] | None = None
        self._begun: dict[object, tuple[str, float]] = {}

    def connect(self, write: Callable[[bytes], object], ended: asyncio.Future[int]) -> None:
        """Send by `write` from now on; `ended` becomes the exit code."""
        self._ended = ended
        self.set_writer(Writer(write, self.hung_up))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """An editor that is sent diagnostics is not offered to ask for them; if it does, it is answered."""
        result = yield from super().lsp_initialize(params)
        if not self._owner.client.pulls:
            result.capabilities.diagnostic_provider = None
        return result

    def hung_up(self) -> None:
        """Nobody is at the other end, or it said exit: that is in order after a shutdown only."""
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(0 if self._shutdown else 1)

    def receive(self, message: object) -> None:
        """One message as its JSON says it. Whatever is wrong with it is answered or logged."""
        if isinstance(message, Malformed):
            log.warning("a message that cannot be read: %s", message.why)
            self._refuse(None, JsonRpcParseError(message.why))
            return
        fault = fault_of(message)
        if fault is not None:
            identity = cast(Message, message).get("id") if isinstance(message, dict) else None
            self._refuse(identity if is_id(identity) else None, JsonRpcInvalidRequest(fault))
            return
        said = cast(Message, message)
        try:
            contextvars.copy_context().run(self._received, said)
        except Exception as error:
            log.error("%s: %s: %s", said.get("method", "a response"), type(error).__name__, error)
            if "method" in said and "id" in said:
                self._refuse(said["id"], JsonRpcInternalError(f"{type(error).__name__}: {error}"))

    def _received(self, said: Message) -> None:
        if "method" not in said:
            self._answered(said)
        elif "id" in said:
            self._asked(said)
        else:
            self._told(said)

    def _asked(self, said: Message) -> None:
        """A request: it gets an answer, whatever it is."""
        identity, method = said["id"], said["method"]
        refused = self._not_now(method)
        if refused is None and not self._serves(method):
            refused = JsonRpcMethodNotFound.of(method)
        if refused is None:
            try:
                request = self._structured(said, JsonRPCRequestMessage)
            except Exception as error:
                refused = JsonRpcInvalidParams(_reason(error))
            else:
                self._begun[identity] = (method, time.perf_counter())
                self._trace(f"{method} asked", said.get("params"))
                self._handle_request(identity, method, getattr(request, "params", None))
                return
        self._refuse(identity, refused)

    def _told(self, said: Message) -> None:
        """A notification: one that cannot be used is passed over."""
        method = said["method"]
        if method != types.EXIT and (self._workspace is None or self._shutdown):
            return
        if method != types.CANCEL_REQUEST and not self._serves(method):
            return
        try:
            notification = self._structured(said, JsonRPCNotification)
        except Exception as error:
            log.warning("%s is passed over: %s", method, _reason(error))
            return
        self._trace(f"{method} told", said.get("params"))
        _METHOD.set(method)
        self._handle_notification(method, getattr(notification, "params", None))

    def _answered(self, said: Message) -> None:
        """The editor's answer to a request of ours; one nobody waits for is passed over."""
        identity = said.get("id")
        kind = self._result_types.pop(cast(Any, identity), None)
        waiting = self._request_futures.get(cast(Any, identity))
        if waiting is None or waiting.done():
            return
        try:
            if "error" in said:
                error = self._converter.structure(said["error"], types.ResponseError)
                self._handle_response(cast(Any, identity), None, error)
            else:
                result = self._converter.structure(said, kind).result if kind else said.get("result")
                self._handle_response(cast(Any, identity), result)
        except Exception as error:
            self._request_futures.pop(cast(Any, identity), None)
            waiting.set_exception(JsonRpcInvalidParams(_reason(error)))

    def _not_now(self, method: str) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest(f"{method} after shutdown")
        started = self._workspace is not None
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("initialize was asked before") if started else None
        return None if started else JsonRpcServerNotInitialized(f"{method} before initialize")

    def _serves(self, method: str) -> bool:
        return method in self.fm.builtin_features or method in self.fm.features  # pyright: ignore[reportUnknownMemberType]

    def _structured(self, said: Message, otherwise: type[Any]) -> Any:
        return self._converter.structure(said, self.get_message_type(said["method"]) or otherwise)

    def _refuse(self, identity: object, error: JsonRpcException) -> None:
        """Answer with an error, also where it is not known to what."""
        response = self._converter.unstructure(error.to_response_error())
        self._send_data({"jsonrpc": self.VERSION, "id": identity, "error": response})

    def _run_generator(
        self, future: Future[Any] | None, *, gen: Generator[Any, Any, Any], result_future: Future[Any]
    ) -> None:
        """What pygls does, but a handler that was cancelled ends its request and is no fault."""
        if future is not None and future.cancelled():
            gen.close()
            result_future.cancel()
        else:
            super()._run_generator(future, gen=gen, result_future=result_future)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        method, began = self._begun.pop(msg_id, ("", time.perf_counter()))
        self._trace(f"{method} answered in {(time.perf_counter() - began) * 1000:.1f} ms", None)
        if future.cancelled():
            self._refuse(msg_id, JsonRpcRequestCancelled(f"{method} was cancelled"))
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(error, JsonRpcException):
            self._refuse(msg_id, error)
        else:
            self._owner.failed(method, error)
            self._refuse(msg_id, JsonRpcInternalError(f"{type(error).__name__}: {error}"))

    def _check_handler_result(self, future: Future[Any]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            self._owner.failed(_METHOD.get(), error)

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: Any = None,
        kwargs: Any = None,
    ) -> None:
        """pygls keeps what came of every notification for as long as it runs; what is done is forgotten."""

        def done(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """What is answered already cannot be cancelled; editors ask for it all the same."""
        waiting = self._request_futures.get(msg_id)
        if waiting is not None:
            waiting.cancel()

    def _trace(self, message: str, params: object) -> None:
        """Tell an editor that follows what passes; a follower of every word gets the parameters too."""
        if self.trace == types.TraceValue.Off:
            return
        verbose = str(params) if self.trace == types.TraceValue.Verbose and params is not None else None
        self._server.log_trace(types.LogTraceParams(message, verbose))

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: Any) -> Generator[Any, Any, None]:
        yield from self._own(types.SHUTDOWN, None)
        for identity, waiting in [*self._request_futures.items()]:
            if identity != self.msg_id:
                waiting.cancel()
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Generator[Any, Any, None]:
        self.hung_up()
        yield from ()

    def _own(self, method: str, params: Any) -> Generator[Any, Any, None]:
        features = cast("dict[str, Any]", self.fm.features)  # pyright: ignore[reportUnknownMemberType]
        handler = features.get(method)
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        yield from self._own(types.TEXT_DOCUMENT_DID_CLOSE, params)


def _reason(error: Exception) -> str:
    """What does not fit, in one line."""
    return "; ".join(transform_error(error, "params"))
