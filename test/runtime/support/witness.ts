import type { Client } from '@modelcontextprotocol/client';
import type { ChangeStreamOptions } from '../../../src/runtime/change-stream.js';

/** Writes down what a client is told: changes, and what the change stream says about itself. */
export class Witness {
  readonly updates: string[] = [];
  readonly sequence: number[] = [];
  readonly lists: string[] = [];
  readonly declined: string[][] = [];
  readonly lost: Error[] = [];
  readonly states: string[] = [];
  reopened = 0;

  readonly options: ChangeStreamOptions = {
    onReopened: () => (this.reopened += 1),
    onLost: (error) => this.lost.push(error),
    onDeclined: (names) => this.declined.push(names),
    onStateChange: (state) => this.states.push(state),
    retry: { baseMs: 4, capMs: 16, limit: 6 },
    lingerMs: 60,
  };

  watch(client: Client): this {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.updates.push(params.uri);
      const sequence = params._meta?.['test/sequence'];
      if (typeof sequence === 'number') this.sequence.push(sequence);
    });
    for (const kind of ['tools', 'prompts', 'resources'] as const) {
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => {
        this.lists.push(kind);
      });
    }
    return this;
  }
}
