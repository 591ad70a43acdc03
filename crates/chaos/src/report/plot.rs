//! The plot: answers, refusals and the slowest answer of each second, and behind them the faults as bands.

use plotters::{
    coord::Shift,
    prelude::{
        AreaSeries, ChartBuilder, Color, DrawingArea, IntoDrawingArea, IntoFont, LineSeries, PathElement, RGBColor,
        Rectangle, SVGBackend, Text, WHITE,
    },
};

use crate::results::{FaultRecord, Second};

/// Pixels, across and down.
const SIZE: (u32, u32) = (1200, 840);

const GREEN: RGBColor = RGBColor(24, 121, 78);
const AMBER: RGBColor = RGBColor(200, 120, 0);
const RED: RGBColor = RGBColor(176, 0, 32);
const BLUE: RGBColor = RGBColor(30, 80, 180);
const BAND: RGBColor = RGBColor(120, 120, 160);

/// A line: its name, its colour, and its value for a second.
type Line = (&'static str, RGBColor, fn(&Second) -> f64);

/// The plot as SVG.
pub(super) fn draw(seconds: &[Second], faults: &[FaultRecord]) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let areas = root.split_evenly((3, 1));
        let charts: [(&str, &[Line]); 3] = [
            ("answers a second", &[("answered", GREEN, |second| f64::from(second.answered))]),
            (
                "refusals a second",
                &[
                    ("503", AMBER, |second| f64::from(second.unavailable)),
                    ("broken off", RED, |second| f64::from(second.failed)),
                ],
            ),
            ("slowest reply, seconds", &[("slowest", BLUE, |second| second.slowest)]),
        ];
        for (area, (title, lines)) in areas.iter().zip(charts) {
            chart(area, title, lines, seconds, faults)?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn chart(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    title: &str,
    lines: &[Line],
    seconds: &[Second],
    faults: &[FaultRecord],
) -> anyhow::Result<()> {
    let until = axis(seconds.len());
    let highest = lines.iter().flat_map(|(_, _, of)| seconds.iter().map(of)).fold(1.0, f64::max) * 1.15;
    let mut chart = ChartBuilder::on(area)
        .caption(title, ("sans-serif", 16))
        .margin(10)
        .x_label_area_size(28)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..until, 0.0..highest)?;
    chart.configure_mesh().disable_x_mesh().x_desc("seconds").light_line_style(WHITE).draw()?;
    for record in faults {
        let began = record.began.as_secs_f64();
        let ended = record.ended.map_or(until, |ended| ended.as_secs_f64()).max(began + until / 600.0);
        let worse = record.recovered.is_none();
        let colour = if worse { RED } else { BAND };
        chart.draw_series([Rectangle::new([(began, 0.0), (ended, highest)], colour.mix(0.22).filled())])?;
        if faults.len() <= 40 {
            let upright = ("sans-serif", 10).into_font().transform(plotters::style::FontTransform::Rotate90);
            chart.draw_series([Text::new(record.fault.to_string(), (ended, highest), upright)])?;
        }
    }
    for (name, colour, of) in lines {
        let points: Vec<_> = seconds.iter().enumerate().map(|(second, it)| (axis(second), of(it))).collect();
        chart.draw_series(AreaSeries::new(points.clone(), 0.0, colour.mix(0.12)))?;
        let (name, colour) = (*name, *colour);
        chart
            .draw_series(LineSeries::new(points, &colour))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).draw()?;
    Ok(())
}

fn axis(second: usize) -> f64 {
    f64::from(u32::try_from(second).unwrap_or(u32::MAX))
}
