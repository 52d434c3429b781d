/** The small module that owns the bus, where publishers and the handler are in different places. */
import { SERVER_SYMBOL, V2_SERVER_PACKAGE } from '../protocol/index.js';
import { quoted, type FileStyle } from './file-style.js';
import type { ImportForm } from './import-statement.js';

/** Its file without the extension, and what it exports. */
export const CHANGES_FILE = 'mcp-changes';
export const CHANGES_NAME = 'changes';

const COMMENT = '/** Changes on their way to the modern listen streams; per process. */';

/** The text of the module, in the form in which its neighbours import. */
export function changesModule(form: ImportForm, style: FileStyle): string {
  const from = quoted(V2_SERVER_PACKAGE, style);
  const bus = SERVER_SYMBOL.inMemoryServerEventBus;
  const end = style.semicolon;
  const lines =
    form === 'require'
      ? [
          `const { ${bus} } = require(${from})${end}`,
          '',
          COMMENT,
          `exports.${CHANGES_NAME} = new ${bus}()${end}`,
        ]
      : form === 'equals'
        ? [
            `import server = require(${from})${end}`,
            '',
            COMMENT,
            `export const ${CHANGES_NAME} = new server.${bus}()${end}`,
          ]
        : [
            `import { ${bus} } from ${from}${end}`,
            '',
            COMMENT,
            `export const ${CHANGES_NAME} = new ${bus}()${end}`,
          ];
  return lines.join(style.eol) + style.eol;
}

/** `changes.publish({ kind: 'resource_updated', uri })` */
export function publishEvent(bus: string, kind: string, uri: string | undefined, style: FileStyle): string {
  const parts = [`kind: ${quoted(kind, style)}`];
  if (uri !== undefined) parts.push(uri === 'uri' ? uri : `uri: ${uri}`);
  return `${bus}.publish({ ${parts.join(', ')} })`;
}
