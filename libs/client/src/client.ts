import { bindResources } from './bind-resources.js';
import { CoreClient, type ClientOptions } from './core.js';
import type { Resources, RunsResource } from './generated/resources.js';
import type { Run } from './generated/types.js';
import { waitForRun, type WaitOptions } from './wait-for-run.js';

/** The methods of the client: those of the API's operations, and those that combine several. */
export type ClientResources = Omit<Resources, 'runs'> & {
  readonly runs: RunsResource & {
    /** Waits until a run has ended, and returns it. A failed run is no error: see `status`. */
    wait(id: string, options?: WaitOptions): Promise<Run>;
  };
};

class ResourceClient extends CoreClient {
  constructor(options: ClientOptions) {
    super(options);
    const resources = bindResources(this);
    const wait = (id: string, waitOptions?: WaitOptions) => waitForRun(resources.runs, id, waitOptions);
    Object.assign(this, resources, { runs: { ...resources.runs, wait } });
  }
}

/**
 * A client of Millrace's REST API, for Node 20 and later and for browsers. Its resources have a method for each operation:
 * `await client.runs.get('7')`.
 */
export type MillraceClient = CoreClient & ClientResources;
export const MillraceClient = ResourceClient as unknown as new (options: ClientOptions) => MillraceClient;
