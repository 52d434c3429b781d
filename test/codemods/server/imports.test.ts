// The imports of rewritten server code: every form of importing, added to and taken away from, with the rest as it was.
import { ts } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import { importedName, importEdits, type ImportNeed } from '../../../codemods/server/imports.js';
import { unusedImports } from '../../../codemods/server/unused-imports.js';
import { createSourceUnit, type SourceUnit } from '../../../src/analysis/source-unit.js';
import { applyEdits } from '../../../src/migration/edits.js';

const SERVER = '@modelcontextprotocol/server';
const STDIO = '@modelcontextprotocol/server/stdio';

function unitOf(text: string, name = 'server.ts'): SourceUnit {
  const file = `/project/${name}`;
  const kind = name.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  return createSourceUnit({ file, path: name, package: '.', text }, tree);
}

type Wanted = Omit<ImportNeed, 'file'>;

function value(name: string, module = SERVER): Wanted {
  return { module, name };
}

function type(name: string, module = SERVER): Wanted {
  return { module, name, isType: true };
}

function added(text: string, needs: readonly Wanted[], name?: string): string {
  const unit = unitOf(text, name);
  return applyEdits(text, importEdits(unit, needs, []));
}

/** The text with every line that holds `// cut` taken out by an edit, and the imports that follow from it. */
function cut(text: string, needs: readonly Wanted[] = [], name?: string): string {
  const unit = unitOf(text, name);
  const edits = [...text.matchAll(/^.*\/\/ cut\n/gm)].map((match) => ({
    file: unit.file,
    start: match.index,
    end: match.index + match[0].length,
    text: '',
    reason: 'test',
  }));
  return applyEdits(text, [...edits, ...importEdits(unit, needs, unusedImports(unit, edits))]);
}

describe('a new name joins', () => {
  it.each([
    [
      'a list on one line',
      `import { McpServer } from '${SERVER}';\n`,
      `import { McpServer, createMcpHandler } from '${SERVER}';\n`,
    ],
    [
      'a list of lines',
      `import {\n  McpServer,\n  ResourceTemplate, // for files\n} from '${SERVER}';\n`,
      `import {\n  McpServer,\n  ResourceTemplate, // for files\n  createMcpHandler,\n} from '${SERVER}';\n`,
    ],
    [
      'a list of lines without a last comma',
      `import {\n\tMcpServer,\n\tResourceTemplate // for files\n} from '${SERVER}'\n`,
      `import {\n\tMcpServer,\n\tResourceTemplate, // for files\n\tcreateMcpHandler\n} from '${SERVER}'\n`,
    ],
    [
      'a default import',
      `import sdk from "${SERVER}";\n`,
      `import sdk, { createMcpHandler } from "${SERVER}";\n`,
    ],
    [
      'a list that is required',
      `const { McpServer } = require('${SERVER}');\n`,
      `const { McpServer, createMcpHandler } = require('${SERVER}');\n`,
    ],
    [
      'a list that is loaded late',
      `const { McpServer } = await import('${SERVER}');\n`,
      `const { McpServer, createMcpHandler } = await import('${SERVER}');\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(added(text, [value('createMcpHandler')])).toBe(expected);
  });

  it('no import of types, as a value', () => {
    expect(added(`import type { McpServer } from '${SERVER}';\n`, [value('createMcpHandler')])).toBe(
      `import type { McpServer } from '${SERVER}';\nimport { createMcpHandler } from '${SERVER}';\n`,
    );
  });
});

describe('a new type joins', () => {
  it.each([
    [
      'an import of types',
      `import { McpServer } from '${SERVER}';\nimport type { Tool } from '${SERVER}';\n`,
      `import { McpServer } from '${SERVER}';\nimport type { Tool, McpRequestContext } from '${SERVER}';\n`,
    ],
    [
      'an import of values, as a type',
      `import { McpServer } from '${SERVER}';\n`,
      `import { McpServer, type McpRequestContext } from '${SERVER}';\n`,
    ],
    [
      'what is required, in a statement of its own',
      `const { McpServer } = require('${SERVER}');\n`,
      `const { McpServer } = require('${SERVER}');\nimport type { McpRequestContext } from '${SERVER}';\n`,
    ],
    [
      'a module that is required as TypeScript does it',
      `import sdk = require('${SERVER}');\n`,
      `import sdk = require('${SERVER}');\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(added(text, [type('McpRequestContext')])).toBe(expected);
  });
});

describe('a new import comes', () => {
  it('behind the imports of the SDK, in the form and the quotes of the file', () => {
    expect(
      added(`import { McpServer } from "${SERVER}"\nimport fs from "node:fs"\n\nrun()\n`, [
        value('serveStdio', STDIO),
      ]),
    ).toBe(
      `import { McpServer } from "${SERVER}"\nimport { serveStdio } from "${STDIO}"\nimport fs from "node:fs"\n\nrun()\n`,
    );
    expect(
      added(`const { McpServer } = require('${SERVER}');\nconst fs = require('fs');\n`, [
        value('serveStdio', STDIO),
      ]),
    ).toBe(
      `const { McpServer } = require('${SERVER}');\nconst { serveStdio } = require('${STDIO}');\nconst fs = require('fs');\n`,
    );
  });

  it('once for several names, with types and values together', () => {
    const needs = [value('createMcpHandler'), type('McpRequestContext'), value('createMcpHandler')];
    expect(added(`import fs from 'node:fs';\n`, needs)).toBe(
      `import fs from 'node:fs';\nimport { createMcpHandler, type McpRequestContext } from '${SERVER}';\n`,
    );
    expect(added(`import fs from 'node:fs';\n`, [type('McpRequestContext')])).toBe(
      `import fs from 'node:fs';\nimport type { McpRequestContext } from '${SERVER}';\n`,
    );
  });

  it('as the whole module where TypeScript requires it', () => {
    const text = `import sdk = require('${SERVER}');\n\nrun(sdk);\n`;
    expect(importedName(unitOf(text), value('serveStdio', STDIO))).toBe('mcpServerStdio.serveStdio');
    expect(added(text, [value('serveStdio', STDIO)])).toBe(
      `import sdk = require('${SERVER}');\nimport mcpServerStdio = require('${STDIO}');\n\nrun(sdk);\n`,
    );
  });
});

describe('the name', () => {
  it.each([
    ['is that of the import', `import { createMcpHandler as create } from '${SERVER}';\n`, 'create'],
    ['is a member of a namespace', `import * as mcp from '${SERVER}';\n`, 'mcp.createMcpHandler'],
    ['is a member of a required module', `const mcp = require('${SERVER}');\n`, 'mcp.createMcpHandler'],
    ['is its own', 'other.createMcpHandler();\n', 'createMcpHandler'],
    [
      'is another where somebody has it',
      `import { createMcpHandler } from 'agents/mcp';\n`,
      'createMcpHandler2',
    ],
  ])('%s', (_, text, expected) => {
    expect(importedName(unitOf(text), value('createMcpHandler'))).toBe(expected);
  });

  it('is imported as it is used', () => {
    expect(
      added(`import { createMcpHandler } from 'agents/mcp';\nimport { McpServer } from '${SERVER}';\n`, [
        value('createMcpHandler'),
      ]),
    ).toBe(
      `import { createMcpHandler } from 'agents/mcp';\nimport { McpServer, createMcpHandler as createMcpHandler2 } from '${SERVER}';\n`,
    );
  });

  it('that is imported already brings in nothing', () => {
    const text = `import { createMcpHandler as create } from '${SERVER}';\n`;
    expect(added(text, [value('createMcpHandler')])).toBe(text);
  });
});

describe('what nothing uses any more', () => {
  it.each([
    [
      'goes with its statement',
      `import a from 'a';\nimport { X } from 'x'; // why\nuse(a);\nX(); // cut\n`,
      `import a from 'a';\nuse(a);\n`,
    ],
    [
      'goes with the first statement',
      `import { X } from 'x';\nimport a from 'a';\nuse(a);\nX(); // cut\n`,
      `import a from 'a';\nuse(a);\n`,
    ],
    [
      'leaves the list',
      `import { A, X, B, Y, Z } from 'x';\nuse(A, B);\nX(Y, Z); // cut\n`,
      `import { A, B } from 'x';\nuse(A, B);\n`,
    ],
    [
      'leaves a list of lines',
      `import {\n  A,\n  X,\n  Y,\n} from 'x';\nuse(A);\nX(Y); // cut\n`,
      `import {\n  A,\n} from 'x';\nuse(A);\n`,
    ],
    [
      'leaves a default import',
      `import a, { X } from 'x';\nuse(a);\nX(); // cut\n`,
      `import a from 'x';\nuse(a);\n`,
    ],
    [
      'is a default import',
      `import x, { A } from 'x';\nuse(A);\nx(); // cut\n`,
      `import { A } from 'x';\nuse(A);\n`,
    ],
    ['is a namespace', `import * as x from 'x';\nuse();\nx(); // cut\n`, `use();\n`],
    [
      'is a type',
      `import type { X } from 'x';\nimport { A, type Y } from 'a';\nA(x as X, y as Y); // cut\nA();\n`,
      `import { A } from 'a';\nA();\n`,
    ],
  ])('%s', (_, text, expected) => {
    expect(cut(text)).toBe(expected);
  });

  it('gives its place to what comes', () => {
    const text = `import { StdioServerTransport } from '${STDIO}';\nuse();\nnew StdioServerTransport(); // cut\n`;
    expect(cut(text, [value('serveStdio', STDIO)])).toBe(`import { serveStdio } from '${STDIO}';\nuse();\n`);
  });

  it('stays where somebody else uses it, a name of the same spelling included', () => {
    const text = `import { X } from 'x';\nuse(other.X);\nX(); // cut\n`;
    expect(cut(text)).toBe(`import { X } from 'x';\nuse(other.X);\n`);
    const comment = `const { X } = require('x');\n/** @type {X} */\nlet a;\nX(); // cut\n`;
    expect(cut(comment, [], 'server.js')).toBe(`const { X } = require('x');\n/** @type {X} */\nlet a;\n`);
  });

  it('stays where nothing used it before', () => {
    const text = `import { X } from 'x';\nuse(); // cut\n`;
    expect(cut(text)).toBe(`import { X } from 'x';\n`);
  });

  it('stays in JavaScript when it is the code of the project, which is loaded for what it does', () => {
    const text = `import { X } from './x.js';\nX(); // cut\n`;
    expect(cut(text, [], 'server.js')).toBe(`import { X } from './x.js';\n`);
    expect(cut(text)).toBe('');
  });
});
