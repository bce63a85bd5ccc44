import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseLabels, splitList } from '@millrace/contracts/runs/labels-text';
import { UserError } from './user-error.js';

export const USAGE = `Usage:
  millrace-worker join <url> [<token>]   join an installation, and run
  millrace-worker run                    run again after a restart

Options of join:
  --token-file <file>   file with the join token, instead of an argument; "-" reads standard input
  --fleet <name>        must be that of the token
  --labels <list>       such as gpu=true,zone=eu; all of the token by default
  --sizes <list>        such as small,medium; all of the token by default
  --slots <n>           dispatches that run at once
  --name <name>         name of this machine; its host name by default
  --ca-file <file>      authority of the installation's certificate, if it is not a public one
  --allow-http          accept an address without TLS
  --if-needed           run if this machine has joined already
  --no-run              join only
Options of both:
  --dir <folder>        for credentials and work, also MILLRACE_WORKER_DIR; /var/lib/millrace-worker for root,
                        ~/.local/share/millrace-worker for other users
`;

/** Environment variables, with which a container joins. */
type Env = Record<string, string | undefined>;

export interface JoinCommand {
  name: 'join';
  dir: string;
  url: URL;
  token: string;
  machine: string;
  fleet?: string;
  labels?: Record<string, string>;
  sizes?: string[];
  slots?: string;
  caFile?: string;
  ifNeeded: boolean;
  run: boolean;
}

export type Command = JoinCommand | { name: 'run'; dir: string } | { name: 'help' };

const OPTIONS = {
  'token-file': { type: 'string' },
  fleet: { type: 'string' },
  labels: { type: 'string' },
  sizes: { type: 'string' },
  slots: { type: 'string' },
  name: { type: 'string' },
  'ca-file': { type: 'string' },
  'allow-http': { type: 'boolean' },
  'if-needed': { type: 'boolean' },
  'no-run': { type: 'boolean' },
  dir: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws UserError */
export function parseCommand(args: readonly string[], env: Env): Command {
  const { values, positionals } = parse(args);
  const [name, url = env['MILLRACE_JOIN_URL'], token] = positionals;
  if (values.help || name === undefined) return { name: 'help' };
  const dir = values.dir ?? (env['MILLRACE_WORKER_DIR'] || defaultDir(env));
  if (name === 'run') return { name, dir };
  if (name !== 'join') throw new UserError(`millrace-worker has no command "${name}". It has join and run.`);
  if (!url) throw new UserError('Name the address of the installation, such as https://millrace.example.org.');
  return {
    ...{ name, dir, url: parseAddress(url, values['allow-http'] ?? env['MILLRACE_JOIN_ALLOW_HTTP'] === 'true') },
    ...{ token: token ?? readToken(values['token-file'] ?? env['MILLRACE_JOIN_TOKEN_FILE']) },
    machine: values.name ?? hostname(),
    ...optional('fleet', values.fleet ?? env['WORKER_FLEET']),
    ...optional('labels', readLabels(values.labels ?? env['WORKER_LABELS'])),
    ...optional('sizes', readSizes(values.sizes ?? env['WORKER_SIZES'])),
    ...optional('slots', values.slots),
    ...optional('caFile', values['ca-file'] ?? env['MILLRACE_JOIN_CA_FILE']),
    ...{ ifNeeded: values['if-needed'] ?? false, run: !values['no-run'] },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n${USAGE}`);
  }
}

const defaultDir = (env: Env): string =>
  process.getuid?.() === 0 ? '/var/lib/millrace-worker' : join(env['HOME'] ?? '.', '.local/share/millrace-worker');

/** @throws UserError if the token would travel in clear text */
function parseAddress(text: string, allowHttp: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(`"${text}" is not an address such as https://millrace.example.org.`);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol === 'http:' && !isLocal && !allowHttp)
    throw new UserError(
      `${url.origin} has no TLS, so others could read the credentials. Use https, or --allow-http in a network that you trust.`,
    );
  return url;
}

function readToken(file: string | undefined): string {
  if (!file) throw new UserError('Name the join token, or a file that contains it with --token-file.');
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UserError(`The file with the join token cannot be read: ${(error as Error).message}`);
  }
}

function readLabels(text: string | undefined): Record<string, string> | undefined {
  if (!text) return undefined;
  const labels = parseLabels(text);
  if (!labels) throw new UserError(`"${text}" is not a list of labels such as gpu=true,zone=eu.`);
  return labels;
}

const readSizes = (text: string | undefined): string[] | undefined => (text ? splitList(text) : undefined);

const optional = <K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } =>
  (value === undefined || value === '' ? {} : { [key]: value }) as { [key in K]?: V };
