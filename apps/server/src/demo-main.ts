import { fillDemo, isDemo } from './demo/fill-demo.ts';
import { signInsInWords } from './demo/sign-ins.ts';
import { openLog } from './kernel/log.ts';
import { runServer } from './run-server.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await runServer({
  prepare: async (config) => void (await fillDemo(config, openLog('warn'), say)),
  onReady: async (server) => {
    if (await isDemo(server)) return say(signInsInWords(server.url));
    await server.stop();
    process.stderr.write(
      'This installation has no complete demo. The demo is created only in a new DATA_DIR with its own database:\nset DATA_DIR to a directory that doesn’t exist yet, and unset DATABASE_URL.\n',
    );
    process.exit(1);
  },
});
