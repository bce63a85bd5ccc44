/** Passwords by service: `database` for Postgres, `nats` for NATS. `masterKeys` is the content of a file. */
export interface ClusterSecrets {
  postgres: string;
  redis: string;
  millrace: string;
  database: Record<string, string>;
  nats: Record<string, string>;
  masterKeys: string;
}

export function loadClusterSecrets(folder: string): ClusterSecrets;
export function addMasterKey(folder: string): void;
