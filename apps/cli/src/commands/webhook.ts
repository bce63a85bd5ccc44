import { Option, type Command } from 'commander';
import type { MillraceClient, Webhook, WebhookDelivery, WebhooksCreateBody, WebhookWithSecret } from '@millrace/client';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { confirm } from '../confirm.js';
import { pickDefined } from '../pick-defined.js';
import { type Fields, formatTime, print, printDone, printList, printRecord, toJson } from '../print-records.js';
import { findSpace, findTable, findWebhook, findWorkflow } from '../resolve-names.js';
import { CommandGroup } from './command-group.js';
import { parseCount } from './parse-number.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = [
  'webhooks.list',
  'webhooks.get',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.rotateSecret',
  'deliveries.list',
  'deliveries.redeliver',
];

const COLUMNS: Fields<Webhook> = {
  ID: ({ id }) => id,
  NAME: ({ name }) => name,
  EVENTS: ({ events }) => events,
  ENABLED: ({ enabled }) => enabled,
  URL: ({ url }) => url,
};
const FIELDS: Fields<Webhook> = {
  ...COLUMNS,
  KIND: ({ kind }) => kind,
  'DISABLED BECAUSE': (webhook) => webhook.disabled_reason,
  'FAILING SINCE': (webhook) => formatTime(webhook.failing_since),
  WORKFLOW: ({ workflow }) => workflow,
  SPACE: ({ space }) => space,
  TABLE: ({ dataset }) => dataset,
  VIEW: ({ view }) => view,
};
const DELIVERY_COLUMNS: Fields<WebhookDelivery> = {
  ID: ({ id }) => id,
  EVENT: ({ event }) => event,
  STATUS: ({ status }) => status,
  ATTEMPTS: (delivery) => delivery.attempt_count,
  RESPONSE: (delivery) => delivery.response_status,
  ERROR: ({ error }) => error,
  CREATED: (delivery) => formatTime(delivery.created_date),
};

type Event = WebhooksCreateBody['events'][number];
interface Options {
  json?: boolean;
  url?: string;
  event?: Event[];
  kind?: 'standard' | 'slack';
  name?: string;
  workflow?: string;
  space?: string;
  table?: string;
  enable?: boolean;
  disable?: boolean;
  showSecret?: boolean;
  number?: number;
  status?: 'pending' | 'delivered' | 'failed';
  yes?: boolean;
}

const WEBHOOK = ['<webhook>', 'id or name of the webhook'] as const;

/** Commands about webhooks, which send events to other systems. */
export function addWebhook(program: Command, context: CliContext): void {
  const group = new CommandGroup(program, context, 'webhook', 'list and change webhooks, which send events to a URL');
  addReading(group);
  addWriting(group);
  addSecret(group);
  addDeliveries(group);
}

function addReading(group: CommandGroup): void {
  group.add('list', 'list webhooks', ['webhook list']).action(async ({ json }: Options) => {
    const client = await group.connect();
    await printList(client.webhooks.list(), COLUMNS, { json, empty: 'No webhooks.' });
  });
  group
    .add('get', 'show a webhook, without its secret', ['webhook get alerts'])
    .argument(...WEBHOOK)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      await printRecord(await client.webhooks.get(await findWebhook(client, name)), FIELDS, { json });
    });
}

function addWriting(group: CommandGroup): void {
  group
    .add('create', 'create a webhook', [
      'webhook create alerts https://example.org/hook --event run.failed run.stalled --show-secret',
    ])
    .argument('<name>', 'name of the webhook')
    .argument('<address>', 'URL that receives the events')
    .requiredOption('--event <event...>', 'events to send, such as run.failed')
    .addOption(new Option('--kind <kind>', 'format of the messages').choices(['standard', 'slack']))
    .option('--workflow <workflow>', 'only events of this workflow')
    .option('--space <space>', 'only events of this space')
    .option('--table <table>', 'only events of this Live Table')
    .option('--show-secret', 'print the secret that signs the messages; it is not shown again')
    .action(async (name: string, url: string, options: Options) => {
      const client = await group.connect();
      const { event: events = [], kind } = options;
      const limits = await findLimits(client, options);
      const created = await client.webhooks.create(pickDefined({ name, url, events, kind, ...limits }));
      await printSecret(created, `Created the webhook "${created.name}" (${created.id}).`, options);
    });
  group
    .add('update', 'change a webhook', ['webhook update alerts --disable', 'webhook update alerts --event run.failed'])
    .argument(...WEBHOOK)
    .option('--name <name>', 'new name')
    .option('--address <url>', 'new URL')
    .option('--event <event...>', 'new list of events')
    .option('--workflow <workflow>', 'only events of this workflow')
    .option('--space <space>', 'only events of this space')
    .option('--table <table>', 'only events of this Live Table')
    .option('--enable', 'send events again')
    .option('--disable', 'send no events')
    .action(async (current: string, options: Options & { address?: string }) => {
      if (options.enable && options.disable) throw new CliError('Use either --enable or --disable, not both.');
      const client = await group.connect();
      const id = await findWebhook(client, current);
      const enabled = options.enable ? true : options.disable ? false : undefined;
      const { name, address: url, event: events, json } = options;
      const body = pickDefined({ name, url, events, enabled, ...(await findLimits(client, options)) });
      await printRecord(await client.webhooks.update(id, body), FIELDS, { json });
    });
  group
    .add('delete', 'delete a webhook', ['webhook delete alerts --yes'])
    .argument(...WEBHOOK)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const webhook = await client.webhooks.get(await findWebhook(client, name));
      await confirm(`Delete the webhook "${webhook.name}"?`, yes);
      await client.webhooks.delete(webhook.id);
      await printDone(`Deleted the webhook "${webhook.name}".`, { id: webhook.id, deleted: true }, { json });
    });
}

function addSecret(group: CommandGroup): void {
  group
    .add('rotate-secret', 'create a new secret for a webhook and print it once', ['webhook rotate-secret alerts'])
    .argument(...WEBHOOK)
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, { json, yes }: Options) => {
      const client = await group.connect();
      const id = await findWebhook(client, name);
      await confirm('Create a new secret? The previous one remains valid for 24 hours.', yes);
      const { secret, ...webhook } = await client.webhooks.rotateSecret(id);
      await print(json ? toJson({ ...webhook, secret }) : `${secret}\n`);
    });
}

function addDeliveries(group: CommandGroup): void {
  group
    .add('test', 'send a test message', ['webhook test alerts'])
    .argument(...WEBHOOK)
    .action(async (name: string, { json }: Options) => {
      const client = await group.connect();
      const delivery = await client.webhooks.test(await findWebhook(client, name));
      await printDone(`Sent the test message ${delivery.id} (${delivery.status}).`, delivery, { json });
    });
  group
    .add('deliveries', 'list messages that were sent, latest first', ['webhook deliveries alerts --status failed'])
    .argument(...WEBHOOK)
    .addOption(new Option('--status <status>', 'only those').choices(['pending', 'delivered', 'failed']))
    .option('-n, --number <n>', 'number of messages', parseCount, 50)
    .action(async (name: string, { json, status, number }: Options) => {
      const client = await group.connect();
      const list = client.deliveries.list(await findWebhook(client, name), pickDefined({ status }));
      await printList(await list.toArray(number), DELIVERY_COLUMNS, { json, empty: 'No messages yet.' });
    });
  group
    .add('redeliver', 'send a message again', ['webhook redeliver alerts 01996a52-5cb0-7aaa-9f10-1a2b3c4d5e6f'])
    .argument(...WEBHOOK)
    .argument('<delivery>', 'id of the message')
    .action(async (name: string, delivery: string, { json }: Options) => {
      const client = await group.connect();
      const sent = await client.deliveries.redeliver(await findWebhook(client, name), delivery);
      await printDone(`Sending the message ${sent.id} again (${sent.status}).`, sent, { json });
    });
}

async function findLimits(client: MillraceClient, { workflow, space, table }: Options) {
  return pickDefined({
    workflow: workflow === undefined ? undefined : await findWorkflow(client, workflow),
    space: space === undefined ? undefined : await findSpace(client, space),
    dataset: table === undefined ? undefined : await findTable(client, table),
  });
}

/** The secret is printed only if the user requests it, because output is often kept in logs. */
async function printSecret(
  { secret, ...webhook }: WebhookWithSecret,
  sentence: string,
  { json, showSecret }: Pick<Options, 'json' | 'showSecret'>,
): Promise<void> {
  if (json) await print(toJson(showSecret ? { ...webhook, secret } : webhook));
  else await print(`${sentence}\n${showSecret && secret !== undefined ? `${secret}\n` : ''}`);
  if (!showSecret && secret !== undefined)
    process.stderr.write(`For a secret to verify messages with: millrace webhook rotate-secret ${webhook.id}\n`);
}
