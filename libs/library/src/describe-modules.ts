import type { BuiltIn } from './read-built-ins.js';

/** Where the made part of `docs/reference/library.md` starts; above it people write. */
export const MADE_PART = '## The built-in modules';

/** The made part of `docs/reference/library.md`: all modules by category. */
export function describeModules(modules: readonly BuiltIn[]): string {
  const categories = [...Map.groupBy(modules, ({ file }) => file.category ?? '')].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    MADE_PART,
    `${modules.length} of them. Made from the files by \`npm run docs:library\`; a test holds it true.`,
    ...categories.flatMap(([category, members]) => [`### ${category}`, members.map(toLine).join('\n')]),
  ]
    .join('\n\n')
    .concat('\n');
}

function toLine({ file }: BuiltIn): string {
  const network = file.network === true ? ' _(network)_' : '';
  return `- \`${file.name}\`: ${file.description ?? ''}${network}`;
}
