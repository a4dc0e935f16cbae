"""A client of pytest-lsp, with recorded capabilities of editors."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

MARKETS = pathlib.Path(os.environ["MARKETS"])


@pytest_lsp.fixture(
    params=["neovim", "visual_studio_code", "emacs"],
    config=ClientServerConfig(server_command=[os.environ["GLASS_HOST"], "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    # Editors watch files for a server; in this client, nothing writes any.
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(parameters: types.RegistrationParams):
        assert [r.method for r in parameters.registrations] == ["workspace/didChangeWatchedFiles"]

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=MARKETS.parent.as_uri(), name="work")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def open_market(client: LanguageClient, text: str) -> str:
    uri = (MARKETS / "ca.lua").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=uri, language_id="lua", version=1, text=text)
        )
    )
    return uri


@pytest.mark.asyncio
async def test_diagnostics_are_at_their_token(client: LanguageClient):
    text = (MARKETS / "ca.lua").read_text(encoding="utf-8").replace("maxRetries", "maxRetires")
    uri = open_market(client, text)
    for _ in range(100):
        found = [d for d in client.diagnostics.get(uri, []) if d.code == "unknownKey"]
        if found:
            break
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    place = found[0].range
    line = text.splitlines()[place.start.line]
    assert line[place.start.character : place.end.character] == "maxRetires"
    assert "did you mean" in found[0].message


@pytest.mark.asyncio
async def test_every_request_has_an_answer_of_its_type(client: LanguageClient):
    text = (MARKETS / "ca.lua").read_text(encoding="utf-8")
    uri = open_market(client, text)
    document = types.TextDocumentIdentifier(uri=uri)
    lines = text.splitlines()
    number = next(i for i, line in enumerate(lines) if "maxRetries" in line)
    position = types.Position(line=number, character=lines[number].index("maxRetries") + 2)
    while not client.diagnostics.get(uri):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=position))
    assert "maxRetries" in hover.contents.value
    items = await client.text_document_completion_async(
        types.CompletionParams(text_document=document, position=position)
    )
    assert items
    assert await client.text_document_definition_async(
        types.DefinitionParams(text_document=document, position=position)
    )
    assert await client.text_document_references_async(
        types.ReferenceParams(
            text_document=document, position=position, context=types.ReferenceContext(include_declaration=True)
        )
    )
    assert await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=document))
    assert await client.text_document_document_link_async(types.DocumentLinkParams(text_document=document))
    assert await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
