import { dispatchQueue, fetchInputs } from '@millrace/contracts/runs/engine';

/** What the jobs of a worker need: BullMQ works with scripts, and reads the version of the server. */
const COMMANDS = [
  ...['+@read', '+@write', '+@connection', '+@transaction', '-@dangerous', '-@scripting', '-scan', '-randomkey'],
  ...['+eval', '+evalsha', '+info', '+time'],
];

/**
 * The ACL rules of a joined worker in Redis: the queues from which it takes jobs, and no channel. Redis applies them to
 * scripts, too.
 * @param passwordHash SHA-256 of the password, hex
 */
export function redisRulesOf({ fleet, passwordHash }: { fleet: string; passwordHash: string }): string[] {
  const queues = [dispatchQueue(fleet), fetchInputs.queue, 'health'];
  return [
    'reset',
    'on',
    `#${passwordHash}`,
    ...queues.map((queue) => `~bull:${queue}:*`),
    'resetchannels',
    ...COMMANDS,
  ];
}
