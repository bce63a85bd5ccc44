import type { MillraceClient } from '@millrace/client';
import { CliError, notFound } from './cli-error.js';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id of the server. A record with such a name is found by its id only. */
export const isId = (text: string): boolean => ID.test(text);

interface Named {
  id: string;
  name: string;
}

/** Returns the id of the workflow with that id or name. */
export const findWorkflow = (client: MillraceClient, name: string, space?: string): Promise<string> =>
  findOnly('workflow', name, {
    records: () => client.workflows.list({ search: name, ...(space !== undefined && { space }) }),
    place: ({ space_name }) => `in "${space_name}"`,
    where: 'in the spaces that you may read',
  });

export const findSpace = (client: MillraceClient, name: string): Promise<string> =>
  findOnly('space', name, { records: () => client.spaces.list({ search: name }) });

/** @param space id of its space; without it, all spaces are searched */
export const findProject = (client: MillraceClient, name: string, space?: string): Promise<string> =>
  findOnly('project', name, {
    records: () => (space === undefined ? listAllProjects(client) : client.projects.list(space, { search: name })),
    place: ({ space_name }) => `in "${space_name}"`,
  });

export async function* listAllProjects(client: MillraceClient) {
  for await (const space of client.spaces.list()) yield* client.projects.list(space.id);
}

export const findTable = (client: MillraceClient, name: string): Promise<string> =>
  findOnly('Live Table', name, {
    records: () => client.datasets.list({ search: name }),
    place: ({ solution }) => `of solution ${solution}`,
  });

export const findWebhook = (client: MillraceClient, name: string): Promise<string> =>
  findOnly('webhook', name, { records: () => client.webhooks.list({ search: name }) });

/** Returns the id of the version with that id or number, or `latest`. */
export async function findVersion(client: MillraceClient, workflow: string, text: string): Promise<string> {
  if (isId(text) || text === 'latest') return text;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CliError(`"${text}" is not a version. Use its number, its id, or "latest".`);
  // Versions are numbered from 1 without gaps, so the number is also the number of a page with one version.
  const { results } = await client.versions.list(workflow, {
    ordering: 'number',
    page: Number(text),
    page_size: 1,
  });
  const [found] = results;
  if (found?.number === Number(text)) return found.id;
  throw notFound(`The workflow has no version ${text}. To list its versions: millrace workflow versions ${workflow}`);
}

interface Search<T> {
  /** Lists the records that can have this name. */
  records: () => AsyncIterable<T>;
  /** Distinguishes a record from others with the same name. */
  place?: (record: T) => string;
  where?: string;
}

/** Returns the id of the only record with that id or name. @throws CliError if there is none, or there are several */
export async function findOnly<T extends Named>(kind: string, name: string, search: Search<T>): Promise<string> {
  if (ID.test(name)) return name;
  const found: T[] = [];
  for await (const record of search.records()) if (record.name === name) found.push(record);
  const [only] = found;
  if (!only) throw notFound(`No ${kind} named "${name}" exists${search.where ? ` ${search.where}` : ''}.`);
  if (found.length === 1) return only.id;
  const lines = found.map((record) => `  ${record.id}${search.place ? `  ${search.place(record)}` : ''}`);
  throw new CliError(`${found.length} ${kind}s are named "${name}". Use the id of one of them:\n${lines.join('\n')}`);
}
