import type { BuiltIn } from './read-built-ins.js';

/** The heading at which the generated part of `docs/reference/library.md` starts. The part above it is written by hand. */
export const GENERATED_PART = '## The built-in modules';

/** The generated part of `docs/reference/library.md`: all modules by category. */
export function describeModules(modules: readonly BuiltIn[]): string {
  const categories = [...Map.groupBy(modules, ({ file }) => file.category ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    GENERATED_PART,
    `There are ${modules.length} built-in modules. \`npm run docs:library\` generates this list from their files, and a test compares it with them.`,
    ...categories.flatMap(([category, members]) => [`### ${category}`, members.map(toLine).join('\n')]),
  ]
    .join('\n\n')
    .concat('\n');
}

function toLine({ file }: BuiltIn): string {
  const network = file.network === true ? ' _(network)_' : '';
  return `- \`${file.name}\`: ${file.description ?? ''}${network}`;
}
