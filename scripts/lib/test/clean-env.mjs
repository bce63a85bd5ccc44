const EXCLUDED =
  /^(DATABASE_URL|REDIS_URL|NATS_URL|NATS_PASSWORD.*|MILLRACE_.*|PORT|HOST|PUBLIC_URL|STORAGE_.*|AWS_.*|WORK_DIR|SECRETS_KEY_FILE|MODELS_FILE|SMTP_URL|MAIL_.*|PAYMENT_.*|STRIPE_.*|NODE_ENV|npm_.*)$/;

/**
 * The user's environment without the variables that would direct a test to the user's servers or data.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function cleanEnv(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !EXCLUDED.test(name)));
}
