import type { Command } from 'commander';
import { ConnectionError, MillraceError } from '@millrace/client';
import { chooseServer } from '../account/choose-server.js';
import { connect } from '../account/connect.js';
import { EXIT, type CliContext, type ExitCode } from '../cli-context.js';
import { describeFailure } from '../describe-failure.js';
import { exitCodeOf } from '../exit-code.js';
import { print, toJson } from '../print-records.js';
import { readVersion } from '../read-version.js';
import { addCommand } from './command-group.js';

/** The operations of the API that this command uses, as methods of the client. */
export const OPERATIONS = ['users.me'];

/** Signatures and tokens tolerate less than this. */
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
const TIMEOUT_MS = 15_000;

interface Finding {
  check: string;
  ok: boolean;
  message: string;
  exitCode?: ExitCode;
}

/** Checks what commands need: the server, its services, its version, the clock and the sign-in. */
export function addDoctor(program: Command, context: CliContext): void {
  addCommand(program, 'doctor', 'check the server, its services, its version, the clock and the sign-in', [
    'doctor',
    'doctor --json',
  ]).action(async ({ json }: { json?: boolean }) => {
    const findings: Finding[] = [];
    const url = await chooseServer(context.env);
    const isReachable = await checkServer(url, findings);
    if (isReachable) findings.push(await checkSignIn(context));
    const failed = findings.find(({ ok }) => !ok);
    const lines = findings.map(({ check, ok, message }) => `${ok ? 'ok   ' : 'FAIL '} ${check}: ${message}\n`);
    await print(json ? toJson({ server: url, ok: !failed, findings }) : lines.join(''));
    context.exitCode = failed?.exitCode ?? EXIT.ok;
  });
}

async function checkServer(url: string, findings: Finding[]): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/system`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    findings.push({ check: 'server', ok: true, message: `${url} responds` });
    const body = (await response.json().catch(() => null)) as Readiness | null;
    findings.push(describeServices(response.status, body));
    if (body?.services !== undefined) findings.push(compareVersions(body.version, readVersion()));
    const date = response.headers.get('date');
    if (date !== null) findings.push(compareClocks(Date.parse(date), Date.now()));
    return true;
  } catch (error) {
    const message = describeFailure(new ConnectionError(url, error)).replaceAll('\n', ' ');
    findings.push({ check: 'server', ok: false, message, exitCode: EXIT.network });
    return false;
  }
}

/** The response of a server about its services. */
interface Readiness {
  /** Absent in an older server. */
  version?: string;
  services?: Record<string, { status: string; checks?: object }>;
}

function describeServices(status: number, body: Readiness | null): Finding {
  const services = body?.services;
  const failure = { check: 'services', ok: false, exitCode: EXIT.network };
  if (services === undefined)
    return { ...failure, message: `status ${status}, which is not a response of a Millrace server` };
  const broken = Object.entries(services).filter(([, service]) => service.status !== 'ok');
  if (broken.length === 0)
    return { check: 'services', ok: true, message: `all ${Object.keys(services).length} are ready` };
  const list = broken.map(([name, { checks }]) => `${name} (${JSON.stringify(checks ?? {})})`).join(', ');
  return { ...failure, message: `not ready: ${list}` };
}

/** Versions are compatible as in Semantic Versioning: with the same major version, or for 0.x the same minor version. */
export function compareVersions(server: string | undefined, own: string): Finding {
  const check = 'version';
  if (server === undefined) return { check, ok: true, message: `${own}; the server does not say its version` };
  const versions = `the server has ${server}, this command line ${own}`;
  if (compatiblePart(server) === compatiblePart(own)) return { check, ok: true, message: versions };
  const message = `${versions}. To get the one of the server: npm install --global @millrace/cli@${server}`;
  return { check, ok: false, message, exitCode: EXIT.usage };
}

const compatiblePart = (version: string): string => /^(0\.\d+|[1-9]\d*)/.exec(version)?.[0] ?? version;

/** Compares the clock of this machine with the server's, whose time has a resolution of one second. */
export function compareClocks(server: number, local: number): Finding {
  const difference = Math.abs(server - local);
  const seconds = Math.round(difference / 1000);
  if (difference <= MAX_CLOCK_DIFFERENCE_MS) return { check: 'clock', ok: true, message: `differs by ${seconds} s` };
  const direction = local > server ? 'ahead of' : 'behind';
  const message = `the clock of this machine is ${seconds} s ${direction} the server's. Synchronize it, for example with NTP.`;
  return { check: 'clock', ok: false, message, exitCode: EXIT.usage };
}

/** The response is held against the contract, so a server of an incompatible version fails here, too. */
async function checkSignIn({ env }: CliContext): Promise<Finding> {
  try {
    const { email } = await (await connect(env)).users.me();
    return { check: 'sign-in', ok: true, message: `signed in as ${email}` };
  } catch (error) {
    const message = error instanceof MillraceError ? error.message : describeFailure(error);
    return { check: 'sign-in', ok: false, message: message.replaceAll('\n', ' '), exitCode: exitCodeOf(error) };
  }
}
