/**
 * Serves the exports of a route module, as Next.js does: `serve-routes.ts <module>`. Every verb is the exported function of that
 * name, called with a `Request` and the parameters of the route; a verb that is not exported answers 405.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

type Route = (request: Request, context: { params: Promise<object> }) => Response | Promise<Response>;

const PATH = '/api/mcp';
const routes = (await import(pathToFileURL(resolve(process.argv[2] ?? '')).href)) as Record<string, unknown>;

function requestOf(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) headers.set(name, [value].flat().join(', '));
  const url = `http://${req.headers.host ?? 'localhost'}${req.url ?? '/'}`;
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
  return new Request(url, {
    method: req.method ?? 'GET',
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(req), duplex: 'half' }),
  });
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const route = routes[req.method ?? ''];
  if (req.url !== PATH || typeof route !== 'function') {
    res.writeHead(req.url === PATH ? 405 : 404).end();
    return;
  }
  const gone = new AbortController();
  res.on('close', () => gone.abort());
  const response = await (route as Route)(requestOf(req, gone.signal), { params: Promise.resolve({}) });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) {
    res.end();
    return;
  }
  res.flushHeaders();
  const body = Readable.fromWeb(response.body);
  body.on('error', () => res.destroy()); // the client went away
  res.on('close', () => body.destroy());
  body.pipe(res);
}

const server = createServer((req, res) => {
  serve(req, res).catch((error: unknown) => {
    console.error(error);
    if (res.headersSent) res.destroy();
    else res.writeHead(500).end();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}${PATH}`);
});
