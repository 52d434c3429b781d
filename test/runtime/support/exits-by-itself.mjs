// Does everything once against the server at argv[2] with the module at argv[3], closes, and says what is still active.
// That it ends by itself is what the test waits for.
import console from 'node:console';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { URL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { changeStream } = await import(process.argv[3]);
const until = async (condition) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
Math.random = () => 0.0001; // retries at once
let reopened = 0;
let updates = 0;
client.setNotificationHandler('notifications/resources/updated', () => void (updates += 1));
const changes = changeStream(client, {
  lingerMs: 60_000,
  retry: { baseMs: 60_000, capMs: 60_000 },
  onReopened: () => (reopened += 1),
});
await changes.listen({ toolsListChanged: true });
const transport = () => new StreamableHTTPClientTransport(new URL(process.argv[2]));
await client.connect(transport());
await changes.subscribe('x:a');
await changes.subscribe('x:b'); // leaves a stream that lingers for a minute
await client.callTool({ name: 'cut' }).catch(() => {});
await until(() => reopened >= 2);
await client.callTool({ name: 'publish' });
await until(() => updates > 0);
await client.close();
await client.connect(transport());
await until(() => reopened >= 3);
await changes.subscribe('x:c');
if (process.argv[4] === 'retrying') {
  Math.random = () => 1; // the next retry would come in a minute
  await client.callTool({ name: 'refuse' });
  await client.callTool({ name: 'cut' }).catch(() => {});
  await until(() => changes.state === 'retrying');
}
await changes.close();
await client.close();
console.log(JSON.stringify(process.getActiveResourcesInfo()));
