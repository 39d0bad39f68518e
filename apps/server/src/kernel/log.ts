import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

/**
 * Structured log lines. Bodies, headers and query strings are never logged, so that the log contains no tokens,
 * passwords or addresses.
 */
export const openLog = (level: Config['logLevel']): Log =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers', 'body', 'token', 'password', 'email'],
  });
