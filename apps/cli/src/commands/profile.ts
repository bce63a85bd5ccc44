import type { Command } from 'commander';
import { explainMissingProfile } from '../account/choose-server.js';
import { CredentialsFile } from '../account/credentials-file.js';
import type { CliContext } from '../cli-context.js';
import { printDone, printList } from '../print-records.js';
import { CommandGroup } from './command-group.js';
import { removeProfile } from './logout.js';

/** The operations of the API that these commands use, as methods of the client. */
export const OPERATIONS = ['sessions.logout'];

interface Options {
  json?: boolean;
}

/** What is shown of a profile. Credentials are never printed. */
interface ListedProfile {
  name: string;
  current: boolean;
  url: string;
  email: string | null;
}

/** Commands about profiles: accounts on servers. */
export function addProfile(program: Command, context: CliContext): void {
  const file = new CredentialsFile(context.env.credentialsFile);
  const group = new CommandGroup(program, context, 'profile', 'list and choose profiles: your accounts on servers');
  group.add('list', 'list your profiles', ['profile list', 'profile list --json']).action(async ({ json }: Options) => {
    const { current, profiles } = await file.read();
    const records = Object.entries(profiles).map(([name, { url, email }]): ListedProfile => ({
      name,
      current: name === current,
      url,
      email: email ?? null,
    }));
    await printList(
      records,
      {
        '': (profile) => (profile.current ? '*' : ''),
        NAME: ({ name }) => name,
        SERVER: ({ url }) => url,
        USER: ({ email }) => email,
      },
      { json, empty: 'No profiles. To create one: millrace login --url <address> --profile <name>' },
    );
  });
  group
    .add('use', 'choose the profile that commands use by default', ['profile use staging'])
    .argument('<profile>', 'name of the profile')
    .action(async (name: string, { json }: Options) => {
      await file.change((credentials) => {
        requireProfile(credentials.profiles, name);
        return { ...credentials, current: name };
      });
      await printDone(`Commands use the profile "${name}" now.`, { current: name }, { json });
    });
  group
    .add('remove', 'sign out of a profile and delete it', ['profile remove staging'])
    .argument('<profile>', 'name of the profile')
    .action(async (name: string, { json }: Options) => {
      requireProfile((await file.read()).profiles, name);
      await printDone(await removeProfile(file, name), { removed: name }, { json });
    });
}

function requireProfile(profiles: object, name: string): void {
  if (!Object.hasOwn(profiles, name)) throw explainMissingProfile(name, Object.keys(profiles));
}
