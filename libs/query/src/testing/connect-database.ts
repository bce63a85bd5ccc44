import { Client } from 'pg';
import { emptyDatabase } from '@millrace/testkit/fresh-database';

/** A connection to a separate, empty database. */
export interface ConnectedDatabase {
  client: Client;
  /** Also drops the database. */
  close(): Promise<void>;
}

export async function connectDatabase(): Promise<ConnectedDatabase> {
  const database = await emptyDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const close = async () => {
    await client.end();
    await database.drop();
  };
  return { client, close };
}
