//! The image resizer.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web::to};
use image::{DynamicImage, GenericImageView};
use url::Url;

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost";

fn address(width: &str, file: &str) -> String {
    format!("/img/rs:fit:{width}:0/plain/https://images.spaza.example/{file}@webp")
}

fn decoded(bytes: &[u8]) -> DynamicImage {
    image::load_from_memory_with_format(bytes, image::ImageFormat::WebP).unwrap()
}

#[actix_web::test]
async fn image_is_webp_of_the_requested_width_and_never_enlarged() {
    let gateway = Gateway::start().await;
    for (file, width, expected) in [
        ("demo/wide.png", "160", (160, 80)),
        ("demo/wide.png", "320", (320, 160)),
        ("demo/wide.png", "480", (480, 240)),
        ("demo/wide.png", "640", (640, 320)),
        ("demo/wide.png", "960", (960, 480)),
        ("demo/wide.png", "1280", (1000, 500)),
        ("demo/small.jpg", "160", (160, 320)),
        ("demo/small.jpg", "640", (200, 400)),
        ("demo/glass.png", "320", (320, 320)),
    ] {
        let reply = gateway.on(HOST).get(&address(width, file)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/webp"), "{file} {width}");
        assert_eq!(decoded(&reply.bytes).dimensions(), expected, "{file} {width}");
        assert_eq!(reply.header("cache-control"), "public, max-age=86400");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
    }
    let glass = decoded(&gateway.on(HOST).get(&address("320", "demo/glass.png")).await.bytes);
    let pixel = glass.get_pixel(100, 100).0;
    assert!((120..=136).contains(&pixel[3]), "half transparent: {pixel:?}");
}

/// A picture of 80 by 40 pixels, red on the left and blue on the right, with this EXIF orientation.
fn turned(format: image::ImageFormat, orientation: u8) -> Vec<u8> {
    use image::{ImageEncoder, codecs, metadata::Orientation};
    let picture =
        image::RgbImage::from_fn(
            80,
            40,
            |x, _| {
                if x < 40 { image::Rgb([220, 10, 10]) } else { image::Rgb([10, 10, 220]) }
            },
        );
    let exif = [b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0", &[orientation, 0, 0, 0, 0, 0, 0, 0][..]].concat();
    assert_eq!(Orientation::from_exif_chunk(&exif), Orientation::from_exif(orientation));
    let (mut bytes, kind) = (Vec::new(), image::ExtendedColorType::Rgb8);
    match format {
        image::ImageFormat::Jpeg => {
            let mut encoder = codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 90);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(&picture, 80, 40, kind).unwrap();
        }
        image::ImageFormat::Png => {
            let mut encoder = codecs::png::PngEncoder::new(&mut bytes);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(&picture, 80, 40, kind).unwrap();
        }
        _ => {
            let mut encoder = codecs::webp::WebPEncoder::new_lossless(&mut bytes);
            encoder.set_exif_metadata(exif).unwrap();
            encoder.write_image(&picture, 80, 40, kind).unwrap();
        }
    }
    bytes
}

#[actix_web::test]
async fn photograph_is_upright_and_a_cut_or_strange_one_is_refused() {
    use image::ImageFormat::{Jpeg, Png, WebP};
    let gateway = Gateway::start().await;
    let folder = gateway.folder.path().join("images/demo");
    for (format, ending) in [(Jpeg, "jpg"), (Png, "png"), (WebP, "webp")] {
        // Where red is: left, right, above, below.
        for (orientation, size, red) in [
            (1, (80, 40), (5, 20)),
            (2, (80, 40), (75, 20)),
            (3, (80, 40), (75, 20)),
            (4, (80, 40), (5, 20)),
            (5, (40, 80), (20, 5)),
            (6, (40, 80), (20, 5)),
            (7, (40, 80), (20, 75)),
            (8, (40, 80), (20, 75)),
        ] {
            let name = format!("turned-{orientation}.{ending}");
            let bytes = turned(format, orientation);
            std::fs::write(folder.join(&name), &bytes).unwrap();
            let reply = gateway.on(HOST).get(&address("160", &format!("demo/{name}"))).await;
            assert_eq!(reply.status, 200, "{name}");
            let shown = decoded(&reply.bytes);
            assert_eq!(shown.dimensions(), size, "{name}");
            let pixel = shown.get_pixel(red.0, red.1).0;
            assert!(pixel[0] > 150 && pixel[2] < 90, "{name}: {pixel:?}");
            let cut = format!("cut-{orientation}.{ending}");
            std::fs::write(folder.join(&cut), &bytes[..bytes.len() * 9 / 10]).unwrap();
            let reply = gateway.on(HOST).get(&address("160", &format!("demo/{cut}"))).await;
            assert_eq!(reply.status, 422, "{cut}");
        }
    }
    std::fs::write(folder.join("phone.jpg"), b"\0\0\0\x18ftypheic\0\0\0\0mif1heic").unwrap();
    assert_eq!(gateway.on(HOST).get(&address("160", "demo/phone.jpg")).await.status, 422);
}

#[actix_web::test]
async fn image_has_an_etag_and_needs_no_brand_or_session() {
    let gateway = Gateway::start().await;
    let browser = gateway.on("88.localhost");
    let address = address("320", "demo/wide.png") + "?domain=memeworld";
    let whole = browser.get(&address).await;
    assert_eq!(whole.status, 200);
    let request = browser.request(reqwest::Method::GET, &address).header("if-none-match", whole.header("etag"));
    let fresh = browser.send(request).await;
    assert_eq!((fresh.status, fresh.bytes.len()), (304, 0));
    let head = browser.send(browser.request(reqwest::Method::HEAD, &address)).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), whole.bytes.len().to_string());
}

#[actix_web::test]
async fn merged_slashes_and_encoded_addresses_return_the_same_image() {
    let gateway = Gateway::start().await;
    let whole = gateway.on(HOST).get(&address("320", "demo/wide.png")).await;
    for path in [
        "/img/rs:fit:320:0/plain/https:/images.spaza.example/demo/wide.png@webp",
        "/img/rs:fit:320:0/plain/https%3A%2F%2Fimages.spaza.example%2Fdemo%2Fwide.png@webp",
    ] {
        let reply = gateway.on(HOST).get(path).await;
        assert_eq!((reply.status, &reply.bytes), (200, &whole.bytes), "{path}");
    }
}

#[actix_web::test]
async fn other_addresses_and_files_are_rejected() {
    let gateway = Gateway::start().await;
    // A header of twenty bytes can claim a billion pixels.
    let bomb = {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        png.extend(40_000_u32.to_be_bytes());
        png.extend(40_000_u32.to_be_bytes());
        png.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        png
    };
    std::fs::write(gateway.folder.path().join("images/demo/bomb.png"), bomb).unwrap();
    std::fs::write(gateway.folder.path().join("images/demo/heavy.png"), vec![0; 10 * 1024 * 1024 + 1]).unwrap();
    let plain = |source: &str| format!("/img/rs:fit:320:0/plain/{source}@webp");
    for (path, expected) in [
        (address("161", "demo/wide.png"), 400),
        (address("0", "demo/wide.png"), 400),
        (address("99999999999", "demo/wide.png"), 400),
        (address("320", "demo/missing.webp"), 404),
        (address("320", "demo"), 404),
        (address("320", "demo/.hidden.webp"), 404),
        (address("320", "demo/broken.webp"), 422),
        (address("320", "demo/bomb.png"), 422),
        (address("320", "demo/heavy.png"), 422),
        (address("320", "../media/mcfunny/clip.mp4"), 400),
        (address("320", "%2e%2e/outside.mp4"), 400),
        (address("320", "demo%2f..%2f..%2foutside.mp4"), 400),
        (address("320", "%252e%252e/outside.mp4"), 400),
        (plain("https://evil.example/a.png"), 403),
        (plain("https://images.spaza.example.evil.example/a.png"), 403),
        (plain("https://images.spaza.example@evil.example/a.png"), 403),
        (plain("https://images.spaza.example:444/demo/wide.png"), 403),
        (plain("http://images.spaza.example/demo/wide.png"), 400),
        (plain("file:///etc/passwd"), 400),
        (plain("/demo/wide.png"), 400),
        ("/img/rs:fit:320:0/plain/https://images.spaza.example/demo/wide.png".to_owned(), 400),
        ("/img/rs:fill:320:320/plain/https://images.spaza.example/demo/wide.png@webp".to_owned(), 400),
        ("/img/".to_owned(), 400),
    ] {
        let (status, reply) = gateway.raw_get(HOST, &path, "").await;
        assert_eq!(status, expected, "{path}: {reply}");
        assert!(reply.contains("application/problem+json"), "{path}: {reply}");
    }
}

fn clip(file: &str) -> String {
    format!("/img/raw:1/plain/https://images.spaza.example/demo/{file}")
}

#[actix_web::test]
async fn clip_is_sent_as_it_is_and_no_other_file() {
    let gateway = Gateway::start().await;
    let folder = gateway.folder.path().join("images/demo");
    let film: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
    std::fs::write(folder.join("film.clip.mp4"), &film).unwrap();
    std::fs::write(folder.join("large.clip.mp4"), vec![0; 100_001]).unwrap();
    std::fs::write(folder.join("whole.mp4"), &film).unwrap();
    let browser = gateway.on(HOST);
    let whole = browser.get(&clip("film.clip.mp4")).await;
    assert_eq!((whole.status, whole.header("content-type"), &whole.bytes[..]), (200, "video/mp4", &film[..]));
    assert_eq!(whole.header("cache-control"), "public, max-age=86400");
    // Safari plays only what comes in ranges.
    for (range, status, content_range, bytes) in [
        ("bytes=0-1", 206, "bytes 0-1/100000", &film[..2]),
        ("bytes=99990-", 206, "bytes 99990-99999/100000", &film[99_990..]),
        ("bytes=0-1,5-6", 200, "", &film[..]),
    ] {
        let request = browser.request(reqwest::Method::GET, &clip("film.clip.mp4")).header("range", range);
        let part = browser.send(request).await;
        assert_eq!((part.status, part.header("content-range"), &part.bytes[..]), (status, content_range, bytes));
        assert_eq!(part.header("accept-ranges"), "bytes");
    }
    for (headers, expected) in [("Range: bytes=100000-\n", 416), ("", 200)] {
        assert_eq!(gateway.raw_get(HOST, &clip("film.clip.mp4"), headers).await.0, expected);
    }
    for (path, expected) in [
        (clip("large.clip.mp4"), 404),
        (clip("other.clip.mp4"), 404),
        (clip("whole.mp4"), 400),
        (clip("wide.png"), 400),
        (clip("../../media/mcfunny/film.clip.mp4"), 400),
        ("/img/raw:1/plain/https://evil.example/a.clip.mp4".to_owned(), 403),
    ] {
        assert_eq!(gateway.raw_get(HOST, &path, "").await.0, expected, "{path}");
    }
}

#[actix_web::test]
async fn concurrent_requests_get_the_same_image() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let address = address("480", "demo/wide.png");
    let replies = futures_util::future::join_all((0..20).map(|_| browser.get(&address))).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.bytes == replies[0].bytes));
}

/// An imgproxy that serves one image, and records its requests.
async fn imgproxy() -> (Url, Arc<Mutex<Vec<String>>>) {
    let picture = webp::Encoder::from_rgb(&[90; 3 * 16 * 8], 16, 8).encode(80.0).to_vec();
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = requests.clone();
    let answer = move |req: HttpRequest| {
        let (picture, path) = (picture.clone(), req.uri().to_string());
        seen.lock().unwrap().push(path.clone());
        async move {
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
            let of = |status: u16| HttpResponse::build(StatusCode::from_u16(status).unwrap());
            match path.rsplit('/').next().unwrap() {
                "lost.png@webp" => of(404).finish(),
                "text.png@webp" => of(422).finish(),
                "broken.png@webp" => of(500).body("panic at http://inner"),
                "page.png@webp" => of(200).content_type("text/html").body("<script>"),
                "moved.png@webp" => of(302).insert_header(("location", "http://inner/")).finish(),
                _ => of(200).content_type("image/webp").insert_header(("server", "imgproxy")).body(picture),
            }
        }
    };
    let server = HttpServer::new(move || App::new().default_service(to(answer.clone()))).workers(1).disable_signals();
    let server = server.bind(("127.0.0.1", 0)).unwrap();
    let url = Url::parse(&format!("http://{}/", server.addrs()[0])).unwrap();
    actix_web::rt::spawn(server.run());
    (url, requests)
}

#[actix_web::test]
async fn imgproxy_converts_allowed_images() {
    let (url, requests) = imgproxy().await;
    let gateway = Gateway::start_with(|config| {
        config.images.imgproxy_url = Some(url);
        config.image_origins = "https://images.spaza.example=/nowhere".parse().unwrap();
    })
    .await;
    let browser = gateway.on(HOST);
    let many = futures_util::future::join_all(
        (0..10).map(|_| browser.get("/img/rs:fit:320:0/plain/https://images.spaza.example/demo/a%20b@2x.png@webp")),
    )
    .await;
    for reply in &many {
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/webp"));
        assert_eq!((decoded(&reply.bytes).dimensions(), reply.header("server")), ((16, 8), ""));
        assert!(!reply.header("etag").is_empty());
    }
    let one = ["/img/rs:fit:320:0/plain/https://images.spaza.example/demo/a%20b%402x.png@webp"];
    assert_eq!(*requests.lock().unwrap(), one);
    assert_eq!(browser.get(&clip("a.clip.mp4")).await.header("content-type"), "video/mp4");
    assert_eq!(requests.lock().unwrap().pop().unwrap(), clip("a.clip.mp4"));
    for (path, expected) in [
        (address("321", "demo/a.png"), 400),
        (address("320", "demo/../a.png"), 400),
        ("/img/rs:fit:320:0/plain/https://evil.example/a.png@webp".to_owned(), 403),
        ("/img/rs:fit:320:0/plain/local:///etc/passwd@webp".to_owned(), 400),
    ] {
        assert_eq!(gateway.raw_get(HOST, &path, "").await.0, expected, "{path}");
    }
    assert_eq!(requests.lock().unwrap().len(), 1, "rejected images are not requested");
    for (file, expected) in
        [("lost.png", 404), ("text.png", 422), ("broken.png", 503), ("page.png", 503), ("moved.png", 503)]
    {
        let reply = browser.get(&address("160", file)).await;
        assert_eq!((reply.status, reply.header("content-type")), (expected, "application/problem+json"), "{file}");
        assert_eq!(reply.header("retry-after").is_empty(), expected != 503, "{file}");
        assert!(!String::from_utf8_lossy(&reply.bytes).contains("inner"), "{file}");
    }
    let gone = Gateway::start_with(|config| config.images.imgproxy_url = Url::parse("http://127.0.0.1:1").ok()).await;
    assert_eq!(gone.on(HOST).get(&address("160", "demo/a.png")).await.status, 503);
}
