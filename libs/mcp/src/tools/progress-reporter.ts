import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from './tool.js';

/** The smallest step that is added if nothing is done yet, so that waiting clients see that the call is alive. */
const STEP = 0.001;

/** Sends progress notifications, if the client requested them. Their number grows, as the protocol demands. */
export class ProgressReporter {
  private last = -1;

  constructor(private readonly request: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>) {}

  readonly report = async ({ done, total, message }: Progress): Promise<void> => {
    const progressToken = this.request._meta?.progressToken;
    if (progressToken === undefined) return;
    this.last = done > this.last ? done : this.last + STEP;
    const params = { progressToken, progress: this.last, message, ...(total !== undefined && { total }) };
    await this.request.notify({ method: 'notifications/progress', params });
  };
}
