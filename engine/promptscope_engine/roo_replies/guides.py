"""The two guides that `fetch_instructions` hands out (docs/agents/roo.md#replies), in our own words.

Marks of the form `@NAME@` stand for what is known only at the time of the call.
"""

from __future__ import annotations

CREATE_MCP_SERVER = """\
To give yourself a new tool you can write an MCP server: a program of its own that offers tools and resources
over the Model Context Protocol. Once it is set up, its tools are called with `use_mcp_tool` and its resources
are read with `access_mcp_resource`, in this task and in later ones. This guide says how to write such a
server, how to set it up, and what to mind.

# What to know beforehand

- A server runs without a terminal and without anyone who could answer. It cannot ask for a password, open a
  browser for a login, or take input while it runs. Whatever it needs to identify itself has to be there when
  it starts, as environment variables in its settings.
- Keys and tokens come from the user. Say which one is needed and where it is made, and ask for it with
  `ask_followup_question`. Where a service wants a login in the browser first, write a small script that runs
  once, gets a lasting token, and prints it, so that it can go into the settings.
- New servers belong into this folder, unless the user names another place: @SERVERS_PATH@
- The settings of all servers are in this file: @SETTINGS_PATH@
- A server that only one project needs can be set up in the file `.roo/mcp.json` of that project instead; it
  has the same form.

There are two kinds of servers:

1. Local ones, started as a child process and spoken to over standard input and output. They are set up with
   `command`, `args` and `env`.
2. Remote ones, reached over HTTP. They are set up with `url` and `headers`, and with the `type`
   `streamable-http` (or `sse` for older ones).

Write a local one unless the user asks for something else.

# An example: a server for public holidays

Say the user wants to be able to ask when a country has its public holidays. A free web service knows that,
and needs no key. The same steps with a key are shown where they differ.

1. Make the project in the folder for servers. A server in TypeScript needs the SDK of the protocol and, for
   checking arguments, zod:

```bash
cd "@SERVERS_PATH@"
mkdir -p holiday-server/src
cd holiday-server
npm init -y
npm pkg set type=module scripts.build=tsc
npm install @modelcontextprotocol/sdk zod
npm install --save-dev typescript @types/node
```

   The compiler's settings go into `tsconfig.json`:

```json
{
  "compilerOptions": {
    "target": "ES2022",
    "module": "Node16",
    "moduleResolution": "Node16",
    "outDir": "./build",
    "rootDir": "./src",
    "strict": true,
    "skipLibCheck": true
  },
  "include": ["src/**/*"]
}
```

2. Write the server into `src/index.ts`:

```typescript
#!/usr/bin/env node
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { z } from "zod"

const SERVICE = "https://date.nager.at/api/v3"

// For a service with a key:
// const API_KEY = process.env.HOLIDAY_API_KEY
// if (!API_KEY) throw new Error("HOLIDAY_API_KEY is not set")

interface Holiday {
  date: string
  localName: string
  name: string
}

async function holidays(country: string, year: number): Promise<Holiday[]> {
  const response = await fetch(`${SERVICE}/PublicHolidays/${year}/${encodeURIComponent(country)}`)
  if (!response.ok) {
    throw new Error(`the service answered ${response.status} for ${country} in ${year}`)
  }
  return (await response.json()) as Holiday[]
}

const server = new McpServer({ name: "holiday-server", version: "0.1.0" })

server.tool(
  "list_holidays",
  "List the public holidays of a country in a year",
  {
    country: z.string().length(2).describe("Two-letter country code, e.g. PT"),
    year: z.number().int().min(1975).max(2100).describe("The year, e.g. 2026"),
  },
  async ({ country, year }) => {
    try {
      const found = await holidays(country, year)
      const lines = found.map((day) => `${day.date}  ${day.localName} (${day.name})`)
      return { content: [{ type: "text", text: lines.join("\\n") }] }
    } catch (error) {
      // A failure is a result too: the model is to read what went wrong.
      const text = error instanceof Error ? error.message : String(error)
      return { content: [{ type: "text", text }], isError: true }
    }
  },
)

server.resource(
  "holidays_this_year",
  new ResourceTemplate("holidays://{country}/current", { list: undefined }),
  async (uri, { country }) => {
    const found = await holidays(String(country), new Date().getFullYear())
    return {
      contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(found, null, 2) }],
    }
  },
)

await server.connect(new StdioServerTransport())
// Standard output belongs to the protocol, so messages for people go to standard error.
console.error("holiday-server is running")
```

   As a rule prefer tools to resources: a tool takes arguments and can be called at any time, while a resource
   suits data that has an address and is read as it is.

3. Build it, and look at what the compiler says:

```bash
npm run build
```

4. Where the server needs a key, guide the user to it now: where to sign up, where the key is shown, and what
   it is called there. Wait for it with `ask_followup_question`. Never make one up, and do not write it into
   the source.

5. Set the server up: read @SETTINGS_PATH@ and add an entry to its object `mcpServers`. Leave the entries that
   are there as they are.

```json
{
  "mcpServers": {
    "holidays": {
      "command": "node",
      "args": ["@SERVERS_PATH@/holiday-server/build/index.js"],
      "env": {
        "HOLIDAY_API_KEY": "only where the service wants one"
      },
      "disabled": false,
      "alwaysAllow": [],
      "disabledTools": []
    }
  }
}
```

   A remote server's entry has other keys:

```json
{
  "mcpServers": {
    "remote-holidays": {
      "type": "streamable-http",
      "url": "https://example.org/mcp",
      "headers": {
        "Authorization": "Bearer the-key"
      }
    }
  }
}
```

   New entries always start with `disabled` false and with empty lists for `alwaysAllow` and `disabledTools`.
   What may stand in an entry besides: `timeout`, the seconds that a call may take (60 if absent, at most
   3600); `cwd`, the folder that a local server starts in; `watchPaths`, files whose change restarts it.

6. Saving the settings starts the server. It then shows up under "Connected MCP Servers", with its tools.
   Should it not, run the command from its entry in a terminal and read what it prints to standard error: most
   often the path in `args` is wrong, the build is missing, or a variable is not set.

7. Try it out with a call of `use_mcp_tool`, and show the user what it can do.

# Changing servers that are there

These servers are running now: @SERVERS@

Where the new tool fits with one of them, it can be better to add it there than to write another server. That
needs the source: look at the path in `args` of its entry and see whether a file of the user's own lies there.
A server that is run from a package registry (with `npx` or `uvx`) or reached over HTTP cannot be changed this
way. Edit with `write_to_file` or `apply_diff`, build again, and the server is restarted.

# When not to write one

Users may ask for something that sounds like a tool but is done better with what you have: a script in the
project, a command, or a file. Write an MCP server only where the user asks for one or for a tool that is to
last, such as "add a tool that" does something. And keep in mind that it runs with the rights of the user: no
more access than the purpose needs, and nothing that deletes or sends data without being asked to.
"""

CREATE_MODE = """\
A custom mode is a role of its own for this agent: with its own instructions, and with those groups of tools
that the role needs. Modes are read from two files:

1. For all projects: @MODES_PATH@ (made by the program when it starts)
2. For one project: `.roomodes` in the root folder of the workspace

Where both define the same slug, the mode of the project counts, and the other is left out whole; nothing of
the two is mixed. A mode with the slug of a built-in one (architect, code, ask, debug, orchestrator) takes its
place. If the user does not say where a new mode should go, put it into the project's file when it is about
this project, and ask if in doubt.

Both files are YAML with one list, `customModes`. JSON is still read in `.roomodes`, but write YAML. Keep the
modes that are there, and read the file before you change it: one entry that is not valid makes the program
drop all modes of that file.

# What a mode consists of

Required:

- `slug`: the name that the program uses. Letters, digits and dashes only; short is better; no other mode may
  have it.
- `name`: the name that people see. It may hold spaces and an emoji.
- `roleDefinition`: who the agent is in this mode and what it is good at. This opens the system prompt, so
  write it to the agent ("You are Roo, ..."), in several sentences.
- `groups`: the tools that the mode may use. An empty list is allowed. Each group at most once:
  - `read`: read, search and list files
  - `edit`: change and write files
  - `browser`: use the browser
  - `command`: run commands
  - `mcp`: use the tools and resources of MCP servers

Not required, though `description` and `whenToUse` are worth having:

- `description`: a few words, shown where the user chooses a mode.
- `whenToUse`: for which tasks the mode is meant; this is what the agent goes by when it chooses one by
  itself.
- `customInstructions`: what to keep to while working in the mode. They stand near the end of the system
  prompt.

Longer instructions can also be files in the folder `.roo/rules-<slug>/`.

# Limiting what may be edited

In place of a plain group a pair may stand: the group, and options for it. With `fileRegex` the group `edit`
is kept to the paths that match; `description` says in words which these are and is shown when another file is
refused. The pattern is a JavaScript one and matches anywhere in the path, so end it with `$`. In YAML a
backslash needs no second one as long as the text is not within double quotes; in JSON it does (`"\\\\.md$"`).

# An example

```yaml
customModes:
  - slug: release-notes
    name: 📰 Release Notes
    description: Write the notes of a release
    roleDefinition: >-
      You are Roo, an editor who turns the history of a project into notes that its users like to read.
      You know how to tell what matters to them from what does not.
    whenToUse: >-
      Use this mode when a release is being prepared and its changes are to be described. Not for
      changing code.
    customInstructions: |-
      - Read the commits since the last tag before you write.
      - Group changes as new, changed and mended, with what breaks first.
      - One sentence for each, without the names of internal functions.
    groups:
      - read
      - - edit
        - fileRegex: (^CHANGELOG|^docs/releases/.*)\\.md$
          description: Changelog and release notes
      - command
```

Both files may hold any number of modes; a new one goes to the end of the list. The program reads the file
again after it was saved, and the mode can be chosen then. Tell the user its name and what it may do.
"""
