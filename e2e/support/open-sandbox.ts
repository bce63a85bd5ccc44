import { setTimeout as sleep } from 'node:timers/promises';
import { sandbox, vaults } from '@millrace/contracts/resources';
import type { SandboxExit } from '@millrace/contracts/runs/sandbox';
import { checkedFetch } from './checked-fetch.js';
import type { Account } from './sign-up.js';

export interface ExecEvent {
  event: string;
  data: { text?: string } & Partial<SandboxExit>;
}

export interface CommandResult extends SandboxExit {
  stdout: string;
  stderr: string;
}

type Place = { agentSessionId: string } | { workflowId: string };

export const vaultOf = async ({ client }: Account): Promise<string> => (await client.call(vaults.getVault)).id;

/** Starts a sandbox, or finds the running one. @returns its session id */
export async function openSandbox(account: Account, place: Place): Promise<string> {
  const body = { vaultId: await vaultOf(account), ...place };
  const { sessionId } = await account.client.call(sandbox.startSandbox, { body });
  return sessionId ?? '';
}

export async function statusOf(account: Account, place: Partial<Place> = {}) {
  return account.client.call(sandbox.getSandbox, { query: { vaultId: await vaultOf(account), ...place } });
}

export async function waitUntilRunning(account: Account, place: Place): Promise<void> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    if ((await statusOf(account, place)).status === 'running') return;
    await sleep(50);
  }
  throw new Error('The sandbox is not running after 30 s');
}

/** Requests the execution of a command. The response is a stream or an error. */
export const requestExec = (
  { url, access }: Account,
  body: { sessionId: string; command: string; timeout_seconds?: number },
  { signal, key }: { signal?: AbortSignal; key?: string } = {},
): Promise<Response> =>
  checkedFetch(`${url}/api/sandbox/exec`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** Yields the events of a stream as they arrive. */
export async function* eventsOf(response: Response): AsyncGenerator<ExecEvent> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) as ExecEvent['data'] };
    }
  }
}

/** Runs a command to its end. */
export async function execute(
  account: Account,
  sessionId: string,
  command: string,
  seconds = 60,
): Promise<CommandResult> {
  return readToEnd(await requestExec(account, { sessionId, command, timeout_seconds: seconds }));
}

/** Reads a stream to its end. */
export async function readToEnd(response: Response): Promise<CommandResult> {
  const printed = { stdout: '', stderr: '' };
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'exit') return { ...(data as SandboxExit), ...printed };
    printed[event as 'stdout' | 'stderr'] += data.text ?? '';
  }
  throw new Error('The stream ended without an exit');
}

const contentUrl = ({ url }: Account, sessionId: string, path: string) =>
  `${url}/api/sandbox/files/content?${new URLSearchParams({ sessionId, path }).toString()}`;

export const putFile = (account: Account, sessionId: string, path: string, content: BodyInit): Promise<Response> =>
  checkedFetch(contentUrl(account, sessionId, path), {
    method: 'PUT',
    headers: { authorization: `Bearer ${account.access}`, 'content-type': 'application/json' },
    body: content,
  });

export const getFile = (account: Account, sessionId: string, path: string): Promise<Response> =>
  checkedFetch(contentUrl(account, sessionId, path), { headers: { authorization: `Bearer ${account.access}` } });
