/** The only module that imports qrcode.react: a QR code, drawn in the browser, so that the key is sent to no other server. */
import { QRCodeSVG } from 'qrcode.react';

export default function QrCode({ text, title }: { text: string; title: string }) {
  // Dark on light in both themes, because scanners expect it.
  return (
    <QRCodeSVG
      className="qr"
      value={text}
      title={title}
      size={176}
      marginSize={4}
      bgColor="#ffffff"
      fgColor="#000000"
    />
  );
}
