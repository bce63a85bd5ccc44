/**
 * `helm test`: waits until a gateway serves the API and every service is ready. Arguments: the gateway's address, and the
 * health address of each service. Uses nothing but Node.js, because the pod gets it as a text.
 */
const [gateway = '', ...services] = process.argv.slice(1);
const deadline = Date.now() + Number(process.env.CHECK_SECONDS ?? 120) * 1000;

/** @param {string} url */
async function findProblem(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? null : `HTTP ${response.status}: ${text.slice(0, 500)}`;
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: Error }} */ (error);
    return cause?.message ?? message;
  }
}

/** @param {string} url */
async function waitFor(url) {
  for (;;) {
    const problem = await findProblem(url);
    if (problem === null) return console.log(`ok      ${url}`);
    if (Date.now() > deadline) {
      console.error(`FAILED  ${url}: ${problem}`);
      process.exitCode = 1;
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

const urls = [
  ...services.map((service) => `${service}/health/ready`),
  `${gateway}/api/openapi.json`,
  // The gateway calls every service, the workers included.
  `${gateway}/health/system`,
];
await Promise.all(urls.map(waitFor));
