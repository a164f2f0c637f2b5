import { describe, expect, it } from "vitest";
import { nextFrame } from "../src/conversation/model/frame";
import { ThreadModel } from "../src/conversation/model/thread-model";
import { Log, opened, run, until } from "./conversation-messages";

describe("a thread that is joined again", () => {
  it("keeps what is looked at until it was read again, and what is heard meanwhile", async () => {
    const log = new Log(500);
    const model = await opened(log);
    model.want(1, 20);
    await until(() => Boolean(model.pages.row(1)));
    log.entries[0] = { ...log.entries[0]!, content: "edited" };
    const joined = model.join();
    model.hear(run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta: "Hel" }));
    await joined;
    expect(model.live.messages()).toHaveLength(1);
    expect(model.pages.row(1)?.content).toBe("note 1");
    model.want(1, 20);
    await until(() => model.pages.row(1)?.content === "edited");
  });

  const begin = () => [run("RUN_STARTED"), run("TEXT_MESSAGE_START", { messageId: "a" })];
  const words = (delta: string) => run("TEXT_MESSAGE_CONTENT", { messageId: "a", delta });

  it("neither doubles nor cuts what grows, whatever is heard around it", async () => {
    const log = new Log(3);
    const model = await opened(log);
    [...begin(), words("One ")].forEach((event) => model.hear(event));
    await until(() => model.live.messages()[0]?.text === "One ");
    model.hear(words("two "));
    let goOn = (): void => {};
    log.held = new Promise((resolve) => (goOn = resolve));
    const joined = model.join();
    [...begin(), words("One "), words("two ")].forEach((event) => model.hear(event));
    await new Promise<void>((drawn) => nextFrame(drawn));
    model.hear(words("three"));
    goOn();
    await joined;
    expect(model.live.messages().map((each) => each.text)).toEqual(["One two three"]);
  });

  it("tries again if it cannot be read, and keeps what is heard until then", async () => {
    const log = new Log(3);
    const model = await opened(log);
    [...begin(), words("One ")].forEach((event) => model.hear(event));
    await until(() => model.live.messages()[0]?.text === "One ");
    log.failures = 1;
    const joined = model.join();
    [...begin(), words("One "), words("two")].forEach((event) => model.hear(event));
    await joined;
    expect([model.state, model.live.messages()[0]?.text]).toEqual(["ready", "One "]);
    await until(() => model.live.messages()[0]?.text === "One two", 4_000);
  });

  it("keeps what is heard, too, if its first read fails and its reader tries again", async () => {
    const log = new Log(3);
    const model = new ThreadModel(log, "user:1");
    log.failures = 1;
    const joined = model.join();
    [...begin(), words("One")].forEach((event) => model.hear(event));
    await joined;
    expect(model.state).toBe("failed");
    await model.read();
    expect(model.live.messages()[0]?.text).toBe("One");
  });

  it("is lost when its reader is not in it any more, and can be read again after that", async () => {
    const log = new Log(3);
    const model = await opened(log);
    model.lose();
    expect([model.state, model.pages.row(3)?.content]).toEqual(["lost", "note 3"]);
    log.add();
    await model.join();
    expect([model.state, model.pages.lastSeq]).toEqual(["ready", 4]);
  });
});
