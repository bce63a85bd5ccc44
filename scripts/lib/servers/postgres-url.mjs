/**
 * The URL of a system's own Postgres.
 * @param {string} password
 * @param {number} port
 */
export const postgresUrl = (password, port) => `postgresql://millrace:${password}@127.0.0.1:${port}/millrace`;
