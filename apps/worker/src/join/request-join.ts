import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { joinAsWorker } from '@millrace/contracts/auth/join';
import { errorBody } from '@millrace/contracts/kit/api-error';
import type { Credentials } from './credentials.js';
import type { JoinCommand } from './parse-command.js';
import { UserError } from './user-error.js';

const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Exchanges the join token for credentials. @throws UserError with the reason of the installation */
export async function requestJoin(command: JoinCommand, ca: string | undefined): Promise<Omit<Credentials, 'url'>> {
  const { url, token, machine, fleet, labels, sizes } = command;
  const target = new URL(`${url.href.replace(/\/$/, '')}/api${joinAsWorker.path}`);
  const { status, text } = await post(target, JSON.stringify({ token, name: machine, fleet, labels, sizes }), ca);
  const body = parse(text);
  if (status !== joinAsWorker.status) throw new UserError(describeRefusal(url, status, body));
  const joined = joinAsWorker.response.safeParse(body);
  if (!joined.success)
    throw new UserError(
      `${url.origin} responded with something else than credentials. Is it a Millrace installation of this version?`,
    );
  return joined.data;
}

function post(url: URL, body: string, ca: string | undefined): Promise<{ status: number; text: string }> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const fail = ({ message }: Error) => reject(new UserError(`${url.origin} cannot be reached: ${message}.`));
    const sent = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        timeout: TIMEOUT_MS,
        ...(ca !== undefined && { ca }),
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          if (text.length > MAX_RESPONSE_BYTES) sent.destroy(new Error('the response is too large'));
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', fail);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('it does not respond')));
    sent.on('error', fail);
    sent.end(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function describeRefusal(url: URL, status: number, body: unknown): string {
  const { data } = errorBody.safeParse(body);
  if (!data) return `${url.origin} responded with status ${status}. Is it the address of a Millrace installation?`;
  const details = Object.entries(data.details ?? {}).map(([field, problem]) => `\n- ${field} ${String(problem)}`);
  return `${url.origin} refused this worker: ${data.message}${details.join('')}`;
}
