-- Neovim's own client, since 0.7: diagnostics at exact bytes after an emoji, a fix, a hover, a jump, the exit.
local function fail(text)
  io.stderr:write("neovim: " .. text .. "\n")
  vim.cmd("cquit 1")
end

local function check(condition, text)
  if not condition then fail(text) end
end

local function wait(what, condition)
  check(vim.wait(15000, condition, 20), "timed out: " .. what)
end

vim.cmd("edit markets/ca.lua")
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({
  name = "glass-host", cmd = { vim.env.GLASS_HOST, "lsp" }, root_dir = vim.fn.getcwd(),
})
check(vim.lsp.buf_attach_client(buffer, client), "the client did not attach")
wait("the first diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)

-- A mistake after an emoji.
local line
for index, text in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
  if text:find("maxRetries = 4", 1, true) then line = index - 1 end
end
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { "      --[[😀]] retry = { maxRetires = 4 }," })
local found
wait("the mistake", function()
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    if diagnostic.message:find("unknown key", 1, true) then found = diagnostic end
  end
  return found ~= nil
end)
local text = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
check(text:sub(found.col + 1, found.end_col) == "maxRetires", "the range is " .. text:sub(found.col + 1, found.end_col))
check(found.source == "glass-host", "the source is " .. tostring(found.source))

local function ask(method, column)
  local parameters = {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = vim.str_utfindex(vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1], column) },
  }
  local answers = vim.lsp.buf_request_sync(buffer, method, parameters, 5000)
  local _, answer = next(answers or {})
  check(answer and not answer.error, method .. " failed")
  return answer.result
end

-- The original text.
vim.api.nvim_buf_set_lines(buffer, line, line + 1, false, { "      --[[😀]] retry = { maxRetries = 4 }," })
wait("no mistake", function()
  for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
    if diagnostic.severity == vim.diagnostic.severity.ERROR then return false end
  end
  return true
end)
local column = vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]:find("maxRetries", 1, true) + 2
wait("the hover", function()
  local hover = ask("textDocument/hover", column)
  return hover and hover.contents.value:find("overrides", 1, true) ~= nil
end)
local target = ask("textDocument/definition", column)
check(target and target.uri:find("/markets/us.lua", 1, true), "the definition is elsewhere")
local items = ask("textDocument/completion", column - 3)
check(#items > 2, "nothing is completed")

vim.lsp.stop_client(client)
wait("the end", function() return vim.lsp.client_is_stopped(client) end)
io.stdout:write("neovim: ok\n")
vim.cmd("quitall!")
