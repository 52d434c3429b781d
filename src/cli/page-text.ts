/** A page as a terminal shows it: its Markdown, with headings and code that stand out where there are colours. */
import type { Colors } from '../reporting/appearance.js';

/** The page under its rule's name; what is generated for the web is left out. */
export function pageText(rule: string, markdown: string, colors: Colors): string {
  const body = markdown.slice(markdown.indexOf(END_OF_HEADER) + END_OF_HEADER.length).trim();
  let isCode = false;
  const lines = body.split('\n').map((line) => {
    if (line.startsWith('```')) {
      isCode = !isCode;
      return undefined;
    }
    if (isCode) return `    ${colors.cyan(line)}`.trimEnd();
    return line.startsWith('#') ? colors.bold(line.replace(/^#+ /, '')) : line;
  });
  const shown = lines.filter((line) => line !== undefined).join('\n');
  return `${colors.bold(`mcp-listen/${rule}`)}\n\n${shown}\n`;
}

const END_OF_HEADER = '<!-- end auto-generated rule header -->';
