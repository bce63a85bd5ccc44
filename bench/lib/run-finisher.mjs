import { setTimeout as sleep } from 'node:timers/promises';
import { runs } from '../../libs/sdk/dist/resources.js';

/** Between two looks: little beside what ten runs in flight take, and few enough looks that they cost next to nothing. */
const LOOK_MS = 50;

/**
 * Starts runs of one workflow and waits for their ends: by one look at the newest ended ones for all that are under way,
 * so that the one who watches costs next to nothing. A stream of events for each run would be a tenth of what is measured.
 */
export class RunFinisher {
  /** @type {Map<string, { resolve: (run: string) => void, reject: (error: Error) => void }>} */
  #waiting = new Map();
  #looking = false;

  /**
   * @param {import('./account.mjs').Account} account
   * @param {string} workflow
   * @param {Record<string, string>} inputs
   * @param {{ use_cache?: boolean }} [options]
   */
  constructor(account, workflow, inputs, options = {}) {
    this.client = account.client;
    this.workflow = workflow;
    this.body = { inputs, ...options };
  }

  /** @returns {Promise<string>} the run, once it has ended well */
  async run() {
    const { id } = await this.client.call(runs.createRun, {
      params: { id: this.workflow },
      body: this.body,
    });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (!this.#looking) void this.#look();
    });
  }

  async #look() {
    this.#looking = true;
    while (this.#waiting.size > 0) {
      const query = {
        status: 'COMPLETED,FAILED,STOPPED',
        ordering: '-created_date',
        page_size: this.#waiting.size + 20,
      };
      const { results } = await this.client.call(runs.listWorkflowRuns, { params: { id: this.workflow }, query });
      for (const { id, status } of results) {
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (status === 'COMPLETED') waiting?.resolve(id);
        else waiting?.reject(new Error(`Run ${id} ended ${status}`));
      }
      await sleep(LOOK_MS);
    }
    this.#looking = false;
  }
}
