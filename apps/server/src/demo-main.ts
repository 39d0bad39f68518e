import { fillDemo } from './demo/fill-demo.ts';
import { signInsInWords } from './demo/sign-ins.ts';
import { runServer } from './run-server.ts';

await runServer(async (server) => {
  try {
    await fillDemo(server, (line) => process.stdout.write(`${line}\n`));
    process.stdout.write(signInsInWords(server.url));
  } catch (error) {
    // The server keeps running, so that the part that was created can be viewed.
    server.deps.log.error({ err: error }, 'could not fill the demo');
    process.stderr.write(
      `The demo is incomplete. The next start continues where this one stopped;\nto start over, stop the server and delete ${server.deps.config.dataDir}.\n`,
    );
  }
});
