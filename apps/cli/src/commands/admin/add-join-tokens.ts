import type { JoinToken } from '@millrace/client';
import { MAX_JOIN_TOKEN_HOURS, MAX_JOIN_TOKEN_USES } from '@millrace/contracts/auth/admin/join-tokens';
import { formatLabels } from '@millrace/contracts/runs/labels-text';
import type { CliContext } from '../../cli-context.js';
import { type Fields, formatTime, printDone, printList } from '../../print-records.js';
import { CommandGroup } from '../command-group.js';
import { parseCountUpTo } from '../parse-number.js';
import { parseLabelsOption, parseSizesOption } from './parse-placement.js';

const COLUMNS: Fields<JoinToken> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  PREFIX: ({ prefix }) => prefix,
  FLEET: ({ fleet }) => fleet,
  LABELS: ({ labels }) => formatLabels(labels),
  SIZES: ({ sizes }) => sizes.join(','),
  USES: (token) => `${token.uses}/${token.max_uses}`,
  STATE: ({ state }) => state,
  EXPIRES: (token) => formatTime(token.expires_date),
};

interface CreateOptions {
  json?: boolean;
  fleet?: string;
  labels?: Record<string, string>;
  sizes?: JoinToken['sizes'];
  uses: number;
  hours: number;
}

export function addJoinTokens(admin: CommandGroup, context: CliContext): void {
  const group = new CommandGroup(
    admin.parent,
    context,
    'join-tokens',
    'tokens with which workers on other machines join',
  );
  group.add('list', 'list the join tokens', ['admin join-tokens list']).action(async (options: { json?: boolean }) => {
    const client = await group.connect();
    await printList(client.joinTokens.list(), COLUMNS, { ...options, empty: 'No join tokens.' });
  });
  group
    .add('create', 'create a join token, and print it', [
      'admin join-tokens create gpu-machines --fleet gpu --labels gpu=true --uses 5 --hours 2',
    ])
    .argument('<name>', 'name of the token')
    .option('--fleet <name>', 'fleet of its workers; default if absent')
    .option('--labels <list>', 'labels that its workers may have, such as gpu=true,zone=eu', parseLabelsOption)
    .option(
      '--sizes <list>',
      'sizes of steps that its workers may run, such as small,medium; all if absent',
      parseSizesOption,
    )
    .option('--uses <n>', 'workers that may join with it', parseCountUpTo(MAX_JOIN_TOKEN_USES), 1)
    .option('--hours <n>', 'hours until it expires', parseCountUpTo(MAX_JOIN_TOKEN_HOURS), 24)
    .action(async (name: string, { fleet, labels, sizes, uses, hours, json }: CreateOptions) => {
      const client = await group.connect();
      const created = await client.joinTokens.create({
        ...{ name, max_uses: uses, hours },
        ...(fleet !== undefined && { fleet }),
        ...(labels && { labels }),
        ...(sizes && { sizes }),
      });
      await printDone(created.token, created, { json });
    });
  group
    .add('revoke', 'revoke a join token', ['admin join-tokens revoke 01996a52-5cb0-7aaa-9f10-1a2b3c4d5e6f'])
    .argument('<id>', 'id of the token')
    .action(async (id: string, options: { json?: boolean }) => {
      const client = await group.connect();
      await printDone('The join token is revoked.', await client.joinTokens.revoke(id), options);
    });
}
