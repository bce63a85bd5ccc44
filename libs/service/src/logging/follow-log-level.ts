import type { Logger } from 'pino';
import { logLevelChanged } from '@millrace/contracts/auth/admin/log-level';
import type { ServiceName } from '@millrace/contracts/kit/service-name';
import type { Broker } from '@millrace/messaging/broker/broker';

/**
 * Lets administrators change the level of a process's logger for some time. Afterwards it has its configured level again.
 * @returns a function that ends this
 */
export function followLogLevel(
  broker: Pick<Broker, 'subscribe'>,
  service: ServiceName,
  logger: Pick<Logger, 'level' | 'info'>,
): () => void {
  const configured = logger.level;
  let timer: NodeJS.Timeout | undefined;
  const setLevel = (level: string, until?: string) => {
    // At the more verbose of both levels, so that the line is written.
    const entry = { message: 'Log level changed', logLevel: level, ...(until !== undefined && { until }) };
    logger.info(entry);
    const hadInfo = isInfoWritten(logger.level);
    logger.level = level;
    if (!hadInfo) logger.info(entry);
  };
  const unsubscribe = broker.subscribe(logLevelChanged, (change) => {
    if (change.service !== service) return;
    clearTimeout(timer);
    setLevel(change.level, change.until);
    timer = setTimeout(() => setLevel(configured), Date.parse(change.until) - Date.now());
    timer.unref();
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

const isInfoWritten = (level: string): boolean => ['info', 'debug', 'trace'].includes(level);
