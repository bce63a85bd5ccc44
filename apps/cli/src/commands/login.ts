import type { Command } from 'commander';
import { chooseServer } from '../account/choose-server.js';
import { openClient } from '../account/connect.js';
import { saveAccount } from '../account/credentials-file.js';
import { canOpenBrowser, openBrowser } from '../account/open-browser.js';
import { Prompt } from '../account/prompt.js';
import { signInByDevice } from '../account/sign-in-by-device.js';
import { signInByPassword } from '../account/sign-in-by-password.js';
import { EXIT, type CliContext } from '../cli-context.js';
import { CliError } from '../cli-error.js';
import { type CliEnv, TOKEN } from '../env.js';
import { printDone } from '../print-records.js';
import { stopOnInterrupt } from '../watch/stop-on-interrupt.js';
import { addCommand } from './command-group.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['devices.requestCode', 'devices.token', 'sessions.login', 'users.me'];

interface Options {
  email?: string;
  token?: string;
  browser: boolean;
  json?: boolean;
}

export function addLogin(program: Command, context: CliContext): void {
  addCommand(program, 'login', 'sign in with a browser on this or any other machine', [
    'login',
    'login --url https://millrace.example.org --profile work',
    'login --email ada@example.org',
    'login --token - < token.txt',
  ])
    .option('--no-browser', 'print the address instead of opening a browser')
    .option('--email <email>', 'sign in with a password in this terminal instead')
    .option('--token <->', 'store an API token instead; "-" reads it from standard input')
    .action(async (options: Options) => {
      const url = await chooseServer(context.env);
      const email = await signIn(url, options, context);
      if (email === null) return;
      await printDone(`Signed in to ${url} as ${email}.`, { server: url, email }, options);
      if (context.env.token !== null)
        process.stderr.write('MILLRACE_TOKEN is set and takes precedence over this sign-in.\n');
    });
}

async function signIn(url: string, { email, token, browser }: Options, context: CliContext): Promise<string | null> {
  const { env } = context;
  if (token !== undefined) {
    // Other users of the machine can see the arguments of a command.
    if (token !== '-') throw new CliError('Use --token - and enter the token: arguments are visible to other users.');
    return storeToken(env, url);
  }
  if (email !== undefined) return signInAtPrompt(env, url, email);
  return approveInBrowser(url, browser, context);
}

async function storeToken({ credentialsFile: file, profile }: CliEnv, url: string): Promise<string> {
  const token = await readToken(url);
  const { email } = await openClient(url, token).users.me();
  await saveAccount(file, url, { email, token }, profile);
  return email;
}

async function signInAtPrompt({ credentialsFile: file, profile }: CliEnv, url: string, email: string): Promise<string> {
  process.stderr.write(`Signing in to ${url}\n`);
  const prompt = new Prompt();
  try {
    return await signInByPassword({ file, url, profile, email, prompt });
  } finally {
    prompt.close();
  }
}

/** @returns the email of the user, or null if the user pressed Ctrl-C */
async function approveInBrowser(url: string, mayOpen: boolean, context: CliContext): Promise<string | null> {
  const controller = new AbortController();
  const interrupt = stopOnInterrupt(() => controller.abort());
  try {
    return await signInByDevice({
      file: context.env.credentialsFile,
      url,
      profile: context.env.profile,
      signal: controller.signal,
      note: (line) => process.stderr.write(`${line}\n`),
      openBrowser: (address) =>
        mayOpen && isDesktop(context.env) ? openBrowser(address, process.platform) : undefined,
    });
  } catch (error) {
    if (!interrupt.isInterrupted()) throw error;
    process.stderr.write('Not signed in.\n');
    context.exitCode = EXIT.interrupted;
    return null;
  } finally {
    interrupt.release();
  }
}

const isDesktop = ({ hasDisplay }: CliEnv): boolean =>
  canOpenBrowser({ platform: process.platform, isTerminal: process.stderr.isTTY, hasDisplay });

/**
 * Returns the first line of standard input.
 * @throws CliError if it is not a token; the message does not contain the input
 */
async function readToken(url: string): Promise<string> {
  const token = (await promptForToken(url)).trim();
  if (!TOKEN.test(token))
    throw new CliError(
      'This is not a token: it is empty, or contains spaces or other characters that tokens do not contain.',
    );
  return token;
}

async function promptForToken(url: string): Promise<string> {
  process.stderr.write(`Signing in to ${url}\n`);
  const prompt = new Prompt();
  try {
    return await prompt.readLine('API token: ', { secret: true });
  } finally {
    prompt.close();
  }
}
