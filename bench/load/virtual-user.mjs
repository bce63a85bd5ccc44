import { setTimeout as sleep } from 'node:timers/promises';
import { MillraceClient } from '@millrace/client';
import { exponential, weightedIndex } from '../lib/random.mjs';
import { LIST_PATH, makeWorkflow } from './workflow.mjs';

/**
 * What a virtual user has: an account of its own with a workflow, an ended run and a Live Table.
 * @typedef {{ token: string, gateway: string, workflow: string, run: string, table: string }} UserData
 */

/**
 * How often a user does each thing, in proportion to the others.
 * @typedef {{ browse: number, query: number, run: number, save: number }} Mix
 */

/** @type {Mix} of the workload `load`, out of 100 times */
export const MIX = { browse: 60, query: 20, run: 12, save: 8 };
/** Mean pause between two actions, and between two pages of one. Both are exponential, and at most five times as long. */
export const THINK_MS = 10_000;
export const PAGE_MS = 500;
const MAX_PAUSE_FACTOR = 5;
/** A run that has not ended by then counts as an error. */
const WATCH_TIMEOUT_MS = 120_000;

/** A user who does one thing after the other, with pauses for thinking. */
export class VirtualUser {
  #revision = 0;

  /**
   * @param {UserData} data
   * @param {import('./recorder.mjs').Recorder} recorder
   * @param {import('../lib/random.mjs').Random} random
   * @param {{ speed: number, mix: Mix }} behaviour `speed` divides all pauses
   */
  constructor(data, recorder, random, { speed, mix }) {
    this.data = data;
    this.recorder = recorder;
    this.random = random;
    this.speed = speed;
    this.mix = mix;
    // One attempt: a request that the client repeats would hide an error.
    this.client = new MillraceClient({ baseUrl: data.gateway, token: data.token, tries: 1 });
  }

  /**
   * Works until `end`, in at most `maxActions` actions.
   * @param {{ end: number, maxActions: number }} bounds `end`: in milliseconds since the epoch
   */
  async work({ end, maxActions }) {
    const actions = [() => this.browse(), () => this.query(), () => this.run(), () => this.save()];
    const { browse, query, run, save } = this.mix;
    const weights = [browse, query, run, save];
    await this.#pause(THINK_MS, end);
    for (let count = 0; count < maxActions && Date.now() < end; count += 1) {
      await actions[weightedIndex(this.random, weights)]?.();
      await this.#pause(THINK_MS, end);
    }
  }

  /** Lists workflows and runs, then reads a run with its nodes, its outputs and a log. */
  async browse() {
    const { client } = this;
    await this.#measure('GET workflows', () => client.workflows.list({ page_size: 50 }));
    await this.#pause(PAGE_MS);
    const runs = await this.#measure('GET runs', () => client.runs.list({ page_size: 50, ordering: '-created_date' }));
    const run = runs?.results[0]?.id ?? this.data.run;
    await this.#pause(PAGE_MS);
    await this.#measure('GET run', () => client.runs.get(run));
    const nodes = await this.#measure('GET nodes of a run', () => client.subjobs.list(run, { page_size: 100 }));
    const outputs = await this.#measure('GET outputs of a run', () =>
      client.outputs.listOfRun(run, { page_size: 100 }),
    );
    await this.#pause(PAGE_MS);
    const output = outputs?.results[0];
    if (output) await this.#measure('GET output', async () => (await client.outputs.download(output.id)).bytes());
    const node = nodes?.results[0];
    if (node) await this.#measure('GET log', () => this.#readLog(run, node.id));
  }

  /** Filters and orders the Live Table. */
  async query() {
    const port = [80, 443, 8080, 8443][Math.floor(this.random() * 4)];
    const query = { q: `port = ${port}`, order: 'host', page_size: 100 };
    await this.#measure('GET rows', () => this.client.rows.query(this.data.table, query));
  }

  /** Saves another version of the workflow. */
  async save() {
    this.#revision += 1;
    const data = makeWorkflow(this.#revision);
    await this.#measure('POST version', () => this.client.versions.save(this.data.workflow, { data }));
  }

  /** Starts a run over the list, and follows its events to its end. */
  async run() {
    const inputs = { hosts: `millrace://file/${LIST_PATH}` };
    const run = await this.#measure('POST run', () => this.client.workflows.run(this.data.workflow, { inputs }));
    if (run) await this.#measure('watch a run to its end', () => this.#watch(run.id));
  }

  /** @param {string} run */
  async #watch(run) {
    const signal = AbortSignal.timeout(WATCH_TIMEOUT_MS);
    for await (const event of this.client.runs.events(run, { signal })) {
      if (event.type !== 'end') continue;
      if (event.status !== 'COMPLETED') throw Object.assign(new Error(run), { name: `Run ${event.status}` });
      return;
    }
    throw new Error(`The events of run ${run} ended before it`);
  }

  /**
   * @param {string} run
   * @param {string} subjob
   */
  async #readLog(run, subjob) {
    let bytes = 0;
    for await (const chunk of this.client.subjobs.logs(run, subjob, { stream: 'stderr', follow: false }))
      bytes += chunk.length;
    return bytes;
  }

  /**
   * @template T
   * @param {string} kind
   * @param {() => PromiseLike<T>} request
   */
  #measure(kind, request) {
    return this.recorder.measure(kind, async () => request());
  }

  /**
   * @param {number} meanMs
   * @param {number} [end]
   */
  async #pause(meanMs, end = Infinity) {
    const mean = meanMs / this.speed;
    await sleep(Math.min(exponential(this.random, mean), mean * MAX_PAUSE_FACTOR, Math.max(0, end - Date.now())));
  }
}
