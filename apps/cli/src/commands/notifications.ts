import { Option, type Command } from 'commander';
import type { Notification, NotificationConfig, NotificationsListQuery } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { pickDefined } from '../pick-defined.js';
import {
  type Fields,
  formatRecords,
  formatTime,
  print,
  printDone,
  printList,
  toCell,
  toJson,
} from '../print-records.js';
import { CommandGroup } from './command-group.js';
import { parseCount } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'notifications.list',
  'notifications.mark',
  'notifications.stream',
  'config.get',
  'config.update',
  'config.resumeMail',
];

const COLUMNS: Fields<Notification> = {
  ID: ({ id }) => id,
  TIME: (notification) => formatTime(notification.created_date),
  SEEN: ({ seen }) => (seen ? 'yes' : ''),
  TITLE: ({ title }) => title,
  MESSAGE: ({ message }) => message,
};

type Type = NonNullable<NotificationsListQuery['notification_type']>;
interface Options {
  json?: boolean;
  unseen?: boolean;
  type?: Type;
  number?: number;
  all?: boolean;
  email?: 'on' | 'off';
  app?: 'on' | 'off';
  resumeMail?: boolean;
}

/** Commands about the notifications of the user. */
export function addNotifications(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'notifications', 'read and configure your notifications');
  addReading(group);
  addConfig(group);
}

function addReading(group: CommandGroup): void {
  group
    .add('list', 'list your notifications, newest first', ['notifications list --unseen'])
    .option('--unseen', 'only those that are not marked as seen')
    .option('--type <type>', 'only those of this type, such as RUN_FAILED')
    .option('-n, --number <n>', 'number of notifications', parseCount, 50)
    .action(async ({ json, unseen, type, number }: Options) => {
      const client = await group.connect();
      const query = pickDefined({ notification_type: type, seen: unseen ? ('false' as const) : undefined });
      const found = await client.notifications.list(query).toArray(number);
      await printList(found, COLUMNS, { json, empty: 'No notifications.' });
    });
  group
    .add('read', 'mark notifications as seen', ['notifications read 12 13', 'notifications read --all'])
    .argument('[ids...]', 'ids of the notifications')
    .option('--all', 'all notifications')
    .action(async (ids: string[], { json, all }: Options) => {
      if (all ? ids.length > 0 : ids.length === 0) throw new CliError('Use either ids or --all.');
      const client = await group.connect();
      const marked = await client.notifications.mark(all ? {} : { ids });
      await printDone(all ? 'All notifications are marked as seen.' : 'Marked as seen.', marked, { json });
    });
  group
    .add('follow', 'print new notifications as they arrive, until Ctrl-C; with --json, one per line', [
      'notifications follow',
      'notifications follow --json | jq .title',
    ])
    .action(async ({ json }: Options) => {
      const client = await group.connect();
      for await (const event of client.notifications.stream()) {
        if (event.type !== 'notification') continue;
        const { notification } = event;
        const line = `${formatTime(notification.created_date)}  ${toCell(notification.title)}: ${toCell(notification.message)}`;
        await print(json ? `${JSON.stringify(notification)}\n` : `${line}\n`);
      }
    });
}

function addConfig(group: CommandGroup): void {
  const channel = (flags: string, description: string) => new Option(flags, description).choices(['on', 'off']);
  group
    .add('config', 'show or change what you are notified of', [
      'notifications config',
      'notifications config RUN_FAILED --email on --app on',
      'notifications config --resume-mail',
    ])
    .argument('[type]', 'type of notification to change, such as RUN_FAILED')
    .addOption(channel('--email <on|off>', 'whether they are sent by mail'))
    .addOption(channel('--app <on|off>', 'whether they are listed in the app'))
    .option('--resume-mail', 'send mails again after the mail server rejected your address')
    .action(async (type: string | undefined, options: Options) => {
      const { email, app, json, resumeMail } = options;
      const change = pickDefined({ email: toFlag(email), in_app: toFlag(app) });
      const hasChange = Object.keys(change).length > 0;
      if (hasChange !== (type !== undefined)) throw new CliError('Use a type together with --email or --app.');
      const client = await group.connect();
      if (resumeMail) await client.config.resumeMail();
      const config =
        type === undefined
          ? await client.config.get()
          : await client.config.update({ config: JSON.stringify({ [type]: change }) });
      await print(json ? toJson(config) : formatConfig(config));
    });
}

const toFlag = (text: 'on' | 'off' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'on';

function formatConfig({ config, email_paused: paused }: NotificationConfig): string {
  const table = formatRecords(Object.entries(config), {
    TYPE: ([type]) => type,
    EMAIL: ([, channels]) => (channels.email ? 'on' : 'off'),
    APP: ([, channels]) => (channels.in_app ? 'on' : 'off'),
  });
  return paused ? `${table}Mails are paused since ${formatTime(paused.since)}: ${toCell(paused.reason)}\n` : table;
}
