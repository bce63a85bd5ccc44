import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, type CliContext } from './cli-context.js';
import { CliError } from './cli-error.js';
import { COMMANDS } from './commands.js';
import { applyGlobalOptions, isTraced, readEnv } from './env.js';
import { RESOURCES } from './generated/resources.js';
import { readVersion } from './read-version.js';

/** Runs a command and returns its exit code. */
export async function runCli(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const [, , first, ...rest] = argv;
    if (first === '--version' || first === '-V') {
      process.stdout.write(`${readVersion()}\n`);
      return EXIT.ok;
    }
    const context: CliContext = { env: readEnv(env), exitCode: EXIT.ok };
    if (first === '__complete') {
      await printCompletions(context, rest);
      return EXIT.ok;
    }
    const program = await buildProgram(context, findNames(argv.slice(2)));
    await program.parseAsync([...argv]);
    return context.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const [{ describeFailure }, { exitCodeOf }] = await Promise.all([
      import('./describe-failure.js'),
      import('./exit-code.js'),
    ]);
    process.stderr.write(`${describeFailure(error, isTraced(env))}\n`);
    return exitCodeOf(error);
  }
}

/** Prints what can follow an incomplete command line, a line each. */
async function printCompletions(context: CliContext, words: readonly string[]): Promise<void> {
  const [{ complete }, { listValuesOf }] = await Promise.all([
    import('./commands/completion.js'),
    import('./commands/list-values.js'),
  ]);
  const program = await buildProgram(context, findNames(words));
  const valueOf = (option: string) => words[words.indexOf(option) + 1] ?? '';
  for (const name of ['url', 'profile'] as const)
    if (words.slice(0, -2).includes(`--${name}`)) applyGlobalOptions(context.env, { [name]: valueOf(`--${name}`) });
  process.stdout.write((await complete(program, words, listValuesOf(context.env))).join('\n'));
}

/**
 * Builds the commands with these names, and all others without their arguments, for the help and for suggestions.
 * @param names undefined for all
 */
export async function buildProgram(context: CliContext, names?: readonly string[]): Promise<Command> {
  const program = createProgram();
  const has = (name: string) => program.commands.some((command) => command.name() === name);
  // Loaded first, because one module may add several commands.
  for (const { name, load } of COMMANDS) {
    if ((names === undefined || names.includes(name)) && !has(name)) (await load())(program, context);
  }
  for (const { name, group, description } of COMMANDS) {
    if (!has(name)) program.command(name).description(description).helpGroup(`${group}:`);
  }
  await addResources(program, context, names);
  const globalOptions = createGlobalOptions().map((option) => option.hideHelp());
  for (const command of listCommands(program)) {
    // Options after the name of a subcommand belong to the subcommand.
    command.exitOverride().enablePositionalOptions().configureHelp(showOptionsOf(program));
    for (const option of globalOptions) if (!hasOption(command, option)) command.addOption(option);
  }
  program.hook('preAction', (_, action) => {
    for (const command of pathOf(action)) {
      const isGlobal = (option: Option) => command === program || globalOptions.includes(option);
      if (command !== action) refuseOptions(command, action, isGlobal);
      const given = command.options.filter(isGlobal).map((option) => option.attributeName());
      applyGlobalOptions(context.env, Object.fromEntries(given.map((name) => [name, command.opts()[name]])));
    }
  });
  return program;
}

function createProgram(): Command {
  const program = new Command('millrace');
  for (const option of createGlobalOptions()) program.addOption(option);
  return program
    .description('Run workflows on a Millrace server')
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError('(add --help to list commands and options)')
    .addHelpText(
      'after',
      `\n--version prints the version.\n\nEvery resource of the API is a command, too: ${RESOURCES.join(', ')}.\n\nExit codes: 0 success, 1 failed run, 2 usage, 3 authentication, 4 not found, 5 network, 130 interrupted.`,
    );
}

/** The options of all commands. They can be anywhere in a command line. */
const createGlobalOptions = (): Option[] => [
  new Option(
    '--url <url>',
    'address of the server (default: MILLRACE_URL, then the current profile, then the server that `npm run up` started in this folder; signup tries the local server first)',
  ).argParser(toAddress),
  new Option('--profile <name>', 'profile to use: an account on a server (default: MILLRACE_PROFILE)'),
];

/** Shows the options of all commands in the help of each. Those of a command do not apply to its subcommands. */
const showOptionsOf = (program: Command) => ({
  showGlobalOptions: true,
  visibleGlobalOptions: () => program.options.filter(({ hidden }) => !hidden),
});

/** An option of a command would have no effect on a subcommand: `run --dry-run delete 42` would delete. */
function refuseOptions(command: Command, action: Command, isGlobal: (option: Option) => boolean): void {
  const given = command.options.find(
    (option) => !isGlobal(option) && command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given === undefined) return;
  const names = [command, action].map((one) =>
    pathOf(one)
      .map((part) => part.name())
      .join(' '),
  );
  throw new CliError(
    `${given.long} is an option of "${names[0]}", and not of "${names[1]}". Write the options of a subcommand after its name.`,
  );
}

const hasOption = (command: Command, { long }: Option): boolean => command.options.some((one) => one.long === long);

/** The program, and the commands from it to a command. */
const pathOf = (command: Command): Command[] => [...(command.parent ? pathOf(command.parent) : []), command];

/** Adds a command for each resource of the API, and its operations to a command that has the name of a resource. */
async function addResources(
  program: Command,
  context: CliContext,
  names: readonly string[] | undefined,
): Promise<void> {
  for (const resource of RESOURCES) {
    const existing = program.commands.find((command) => command.name() === resource);
    const command =
      existing ?? program.command(resource, { hidden: true }).description(`call the operations of ${resource}`);
    if (names && !names.includes(resource)) continue;
    const { addOperations } = await import('./derived/add-operations.js');
    addOperations(command, resource, context);
    if (!existing) command.addHelpText('after', `\nExample:\n  millrace ${resource} --help`);
  }
}

/** The words of a command line that can be the name of its command. */
const findNames = (args: readonly string[]): string[] =>
  args.filter((arg) => /^[a-z-]+$/.test(arg) && !arg.startsWith('-'));

/** A command and everything below it. */
export const listCommands = (command: Command): Command[] =>
  command.commands.flatMap((one) => [one, ...listCommands(one)]);

function toAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isAddress) throw new InvalidArgumentError('Use an address like https://millrace.example.org.');
  return text;
}
