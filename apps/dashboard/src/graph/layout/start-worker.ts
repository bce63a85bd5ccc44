/** Part of the Trusted Types API, which only Chromium has. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy('millrace-workers', {
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError('A worker must be a file of this app.');
    return url;
  },
});

/** Starts a worker from a built file of this app. The policy of the page allows no other addresses. */
export const startWorker = (url: string): Worker => new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
