import type { LogLevelSetBody } from '@millrace/client';
import { formatTime, printDone } from '../../print-records.js';
import type { CommandGroup } from '../command-group.js';
import { parseCountUpTo } from '../parse-number.js';

const MAX_MINUTES = 1_440;

export function addLogLevel(group: CommandGroup): void {
  group
    .add('log-level', 'change the log level of a running service for some time', [
      'admin log-level runs debug',
      'admin log-level gateway trace --minutes 5',
    ])
    .argument('<service>', 'service whose copies change, such as runs')
    .argument('<level>', 'error, warn, info, debug or trace')
    .option('--minutes <n>', 'minutes until the configured level applies again', parseCountUpTo(MAX_MINUTES), 30)
    .action(async (service: string, level: string, options: { json?: boolean; minutes: number }) => {
      const client = await group.connect();
      const change = { service, level, minutes: options.minutes } as LogLevelSetBody;
      const changed = await client.logLevel.set(change);
      const until = `${formatTime(changed.until)} UTC`;
      await printDone(`All copies of ${service} log at ${level} until ${until}.`, changed, options);
    });
}
