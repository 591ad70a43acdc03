/// <reference types="node" />
/** A line to the gateway that breaks, and that can be cut and mended. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PORT = Number(process.env.E2E_PORT ?? '8080');

/** A TCP proxy to the gateway. So many times, it breaks in the middle of a segment: a part arrives, nothing for a second, and every connection ends. */
export async function startLine(breaks: number) {
  const requests: string[] = [];
  const open = new Set<Socket>();
  const breakAll = () => {
    for (const each of open) each.destroy();
  };
  let left = 0;
  const server = createServer(near => {
    const far = connect(PORT, '127.0.0.1');
    let part = Number.POSITIVE_INFINITY;
    near.on('data', data => {
      const text = data.toString('latin1');
      requests.push(text);
      if (left > 0 && /^GET \S+\.m4s /.test(text) && !/\r\nrange:/i.test(text)) {
        left -= 1;
        part = 4000;
      }
      far.write(data);
    });
    far.on('data', data => {
      if (part > 0) near.write(data.subarray(0, part));
      part -= data.length;
      // A browser that learns of the end at once drops what it has not read yet.
      if (part <= 0 && part + data.length > 0) setTimeout(breakAll, 1000);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket
        .on('error', () => socket.destroy())
        .on('close', () => {
          open.delete(socket);
          other.destroy();
        });
    }
  });
  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Breaks it from now on, once the player has fetched what it needs: a paused one fetches until it has enough. */
    arm: async () => {
      for (let before = -1; before < requests.length; await wait(2000)) before = requests.length;
      left = breaks;
    },
    /** Requests for segments that went on at their byte. */
    resumed: () =>
      requests.filter(each => /\r\nrange: bytes=[1-9]\d*-\r\n/i.test(each) && each.includes('.m4s')).length,
    /** There is no connection until it is mended. */
    cut: () => {
      server.close();
      breakAll();
    },
    mend: () => listen(port),
  };
}
