import { escapeIdentifier } from 'pg';
import { loginVariable, type ServiceLogin } from './service-login.js';

/** The owner of the database may not create the roles of the services. The message has the SQL that an administrator runs. */
export class RolesMissingError extends Error {
  constructor(missing: readonly ServiceLogin[], owner: string, joined?: string) {
    const datasets = missing.find(({ service }) => service === 'datasets')?.role ?? joined;
    const statements = [
      ...missing.map(({ role }) => `CREATE ROLE ${escapeIdentifier(role)} LOGIN PASSWORD '…';`),
      ...(datasets === undefined
        ? []
        : [`GRANT ${escapeIdentifier(datasets)} TO ${escapeIdentifier(owner)} WITH INHERIT TRUE, SET TRUE;`]),
    ];
    const variables = missing.map(({ service }) => loginVariable(service));
    super(
      [
        `${owner} may not create or change the roles with which the services sign in. Run this as an administrator of the server:`,
        '',
        ...statements.map((statement) => `  ${statement}`),
        '',
        ...(variables.length > 0 ? [`Then set the URLs with these users and passwords: ${variables.join(', ')}.`] : []),
        'See docs/guides/database.md.',
      ].join('\n'),
    );
  }
}
