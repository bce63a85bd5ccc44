import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A run may take longer than the five minutes after which `fetch` gives up on a response. */
const agent = new Agent({ keepAlive: true });

/**
 * Starts a run, and waits until it has ended.
 * @param {string} url
 * @param {object} body
 * @returns {Promise<string>} the response
 */
export function runByHttp(url, body) {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        text(response).then((content) => {
          if (response.statusCode === 200) resolve(content);
          else reject(new Error(`${url} responded with ${response.statusCode}: ${content.slice(0, 1_000)}`));
        }, reject);
      },
    );
    call.once('error', reject);
    call.end(JSON.stringify(body));
  });
}
