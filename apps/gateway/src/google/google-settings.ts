import type { GatewayEnv } from '../env.js';

export interface GoogleSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
}

/** @returns the provider and client of sign-in with Google; null if it is not configured */
export function googleSettings(env: GatewayEnv): GoogleSettings | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER } = env;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { issuer: new URL(GOOGLE_ISSUER), clientId, clientSecret };
}
