import { assert, assertEquals } from "@std/assert";
import { tempDir } from "../helpers/files.ts";
import { listening, onUnix, post, spawn } from "../helpers/program.ts";

const ENDPOINTS = ["characters", "words", "sentence"];

onUnix.test("the heap of the process has no password that it has sent", async () => {
  await using folder = await tempDir();
  const file = `${folder.path}/heap.json`;
  await using service = await listening(spawn(Deno.execPath(), [
    "run",
    "--allow-all",
    "--frozen",
    "--v8-flags=--expose-gc",
    "tests/helpers/snapshot.ts",
    file,
  ]));
  let clients = 0;
  const generate = async (headers = {}): Promise<string[]> => {
    // Every second request asks for three passwords.
    const count = clients % 2 === 0 ? "" : '"count":3,';
    const response = await post(
      `${service.url}/api/pwgen/${ENDPOINTS[clients % ENDPOINTS.length]}`,
      // A password is too long to occur by chance. It has no å, ä and ö, which
      // a snapshot may write in more than one way.
      `{${count}"length":24,"numberLength":12,"replaceSwedishCharacters":true}`,
      {
        "x-forwarded-for": `10.0.${clients >> 8}.${clients++ & 255}`,
        ...headers,
      },
    );
    const { password, passwords = [password] } = await response.json();
    for (const each of passwords) assert(each.length > 20);
    return passwords;
  };
  const passwords: string[] = [];
  for (let i = 0; i < 500; i++) {
    const batch = Array.from({ length: 20 }, () => generate());
    passwords.push(...(await Promise.all(batch)).flat());
  }
  const hold = () => generate({ "x-hold": "1" });
  const held = [...await hold(), ...await hold()];
  // The last request is another one, since the process may still hold it.
  await generate();
  service.process.kill("SIGUSR2");
  await service.stdout.match(/written/);

  const heap = await Deno.readTextFile(file);
  assertEquals(held.length, 4);
  for (const each of held) {
    assert(heap.includes(each), "The search finds no password at all");
  }
  assertEquals(passwords.length, 20_000);
  const found = passwords.slice(-2000).filter((one) => heap.includes(one));
  assertEquals(found, []);
});
