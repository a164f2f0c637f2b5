import { Parley } from "../dist/index.js";

/** The server that the tests run against, and what stands between it and them. */
const { PARLEY_URL, PARLEY_PROXY, PARLEY_FAULTS, PARLEY_PNG } = process.env;
const { PARLEY_TOKEN, PARLEY_OTHER_TOKEN, PARLEY_OPERATOR_TOKEN } = process.env;
const QUICK = { attempts: 30, limit: 30_000, firstPause: 1, longestPause: 50 };

export const url = PARLEY_URL;
export const ada = Parley.connect({ url, token: PARLEY_TOKEN });
export const bob = Parley.connect({ url, tokenProvider: async () => PARLEY_OTHER_TOKEN });
export const operator = Parley.connect({ url, token: PARLEY_OPERATOR_TOKEN });
/** Ada behind a network that loses what the tests tell it to lose. */
export const unlucky = Parley.connect({
  url: PARLEY_PROXY,
  token: PARLEY_TOKEN,
  retryCalls: QUICK,
  retryStreams: QUICK,
});
export const png = new Blob([Buffer.from(PARLEY_PNG, "base64")], { type: "image/png" });

/** Has the network do something: `cut`, or `drop/POST/2`; tells how many answers it has dropped so far. */
export async function faults(what) {
  const answer = await fetch(`${PARLEY_FAULTS}/${what}`, { method: "POST" });
  return Number(await answer.text());
}

/** What a call gives while the next two answers to such requests are lost. */
export async function losing(method, call) {
  const before = await faults(`drop/${method}/2`);
  const given = await call(unlucky);
  const after = await faults("drop/NONE/0");
  if (after - before !== 2) {
    throw new Error(`${after - before} answers were lost, not 2`);
  }
  return given;
}

export async function collect(iterator, isEnough = () => false) {
  const taken = [];
  for await (const each of iterator) {
    taken.push(each);
    if (isEnough(each, taken)) {
      break;
    }
  }
  return taken;
}
