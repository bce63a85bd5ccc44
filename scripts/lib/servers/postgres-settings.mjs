const MIB = 1024 * 1024;

/**
 * @param {{ port: number, memoryBytes: number, durable: boolean }} options durable: false turns fsync off, for tests. A
 *   killed server loses no data then either, but a machine that loses power does.
 * @returns {string[]} arguments of `postgres`
 */
export function postgresSettings({ port, memoryBytes, durable }) {
  const mib = (/** @type {number} */ share, /** @type {number} */ min, /** @type {number} */ max) =>
    `${Math.round(Math.min(max, Math.max(min, (memoryBytes / MIB) * share)))}MB`;
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // No socket, because its path is limited to 107 bytes and the path of a data directory may be longer.
    unix_socket_directories: '',
    max_connections: '200',
    password_encryption: 'scram-sha-256',
    shared_buffers: mib(0.03, 128, 1024),
    effective_cache_size: mib(0.4, 512, 16_384),
    work_mem: '8MB',
    maintenance_work_mem: mib(0.01, 64, 512),
    max_wal_size: '2GB',
    random_page_cost: '1.1',
    // Compilation takes longer than the short queries of the services.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    synchronous_commit: 'on',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
