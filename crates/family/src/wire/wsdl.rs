//! The WSDL of what we use of the interfaces, made from messages as both sides write them.

use operator::{
    ChargeRequest, NamedService, OptInEvent, OptInKind, OptInStatus, ReceiptEvent, RefundRequest, SmsEvent, SmsRequest,
    StopRequest,
    soap::{self, DATA_SYNC, Element, Interface, Malformed, Reply, Request, SMS_NOTIFICATION},
};

const XSD: &str = "http://www.w3.org/2001/XMLSchema";
const WSDL: &str = "http://schemas.xmlsoap.org/wsdl/";
const SOAP: &str = "http://schemas.xmlsoap.org/wsdl/soap/";

/// An operation with a message in either direction.
struct Operation {
    interface: &'static Interface,
    name: &'static str,
    messages: [Element; 2],
}

fn operations() -> Result<Vec<Operation>, Malformed> {
    let (key, msisdn, day) = ("key".to_owned(), "27812345678".to_owned(), "2026-11-21".to_owned());
    let charge = ChargeRequest {
        key: key.clone(),
        msisdn: msisdn.clone(),
        svc_id: 150,
        cents: 300,
        day: day.clone(),
        network_subscription_id: None,
        network_ref: None,
        sent_at: None,
    };
    let refund = RefundRequest {
        key: "refund".to_owned(),
        charge_key: key.clone(),
        msisdn: msisdn.clone(),
        svc_id: 150,
        cents: 300,
        reason: String::new(),
        network_ref: None,
        day: Some(day),
        in_part: false,
    };
    let stop = StopRequest { msisdn: msisdn.clone(), svc_id: 150, network_subscription_id: "7".to_owned() };
    let sms = SmsRequest {
        key: key.clone(),
        msisdn: msisdn.clone(),
        svc_id: 150,
        text: "text".to_owned(),
        valid_seconds: None,
    };
    let requests = [Request::Charge(charge), Request::Refund(refund), Request::Stop(stop), Request::Sms(sms)];
    let of_request = |request: &Request| Operation {
        interface: request.interface(),
        name: request.operation(),
        messages: [request.content(), Reply::content(request)],
    };
    let mut operations: Vec<Operation> = requests.iter().map(of_request).collect();
    let added = OptInEvent {
        event: String::new(),
        kind: OptInKind::OptIn,
        reference: "reference".to_owned(),
        subscription_id: Some("attempt".to_owned()),
        user_msisdn: msisdn.clone(),
        svc_id: NamedService::Id(150),
        ext_ref: None,
        status: OptInStatus::Confirmed,
        decided_at: None,
        network_subscription_id: Some("7".to_owned()),
    };
    let received = SmsEvent {
        event: String::new(),
        id: None,
        user_msisdn: msisdn.clone(),
        to: Some("31222".to_owned()),
        text: "STOP".to_owned(),
        at: None,
    };
    let receipt = ReceiptEvent { event: String::new(), key, status: String::new(), reason: None, at: None };
    for (interface, name, xml) in [
        (&DATA_SYNC, "syncOrderRelation", soap::subscription_added(&added)),
        (&SMS_NOTIFICATION, "notifySmsReception", soap::sms_received(&received)),
        (&SMS_NOTIFICATION, "notifySmsDeliveryReceipt", soap::sms_receipt(&receipt, &msisdn)),
    ] {
        let reply = soap::acknowledgement(xml.as_bytes()).ok_or(Malformed)?;
        let messages = [soap::content_of(&xml)?, soap::content_of(&reply)?];
        operations.push(Operation { interface, name, messages });
    }
    Ok(operations)
}

/// The document.
pub fn document() -> Result<String, Malformed> {
    let operations = operations()?;
    let mut interfaces: Vec<&Interface> = Vec::new();
    for operation in &operations {
        if interfaces.iter().all(|known| known.name != operation.interface.name) {
            interfaces.push(operation.interface);
        }
    }
    let of = |interface: &Interface| {
        let name = interface.name;
        operations.iter().filter(move |operation| operation.interface.name == name)
    };
    let schemas = interfaces.iter().map(|interface| {
        let elements =
            of(interface).flat_map(|operation| &operation.messages).map(|message| element(message, 0, false));
        Element::new("xsd:schema", elements)
            .with("targetNamespace", interface.namespace)
            .with("elementFormDefault", "qualified")
    });
    let mut parts = vec![Element::new("types", schemas)];
    for interface in &interfaces {
        let name = interface.name;
        parts.extend(of(interface).flat_map(|operation| &operation.messages).map(|message| {
            let part =
                Element::new("part", []).with("name", "body").with("element", &format!("{name}:{}", local(message)));
            Element::new("message", [part]).with("name", local(message))
        }));
        let operation = |of: &Operation, body: fn(&Element) -> Element, inside: Option<Element>| {
            let [request, reply] = &of.messages;
            let directions = [("input", request), ("output", reply)]
                .map(|(direction, message)| body(message).named(direction.to_owned()));
            Element::new("operation", inside.into_iter().chain(directions)).with("name", of.name)
        };
        let names = |message: &Element| Element::new("", []).with("message", &format!("tns:{}", local(message)));
        let literal = |_: &Element| Element::new("", [Element::new("soap:body", []).with("use", "literal")]);
        let port_type = of(interface).map(|one| operation(one, names, None));
        parts.push(Element::new("portType", port_type).with("name", name));
        let style = Element::new("soap:binding", [])
            .with("style", "document")
            .with("transport", "http://schemas.xmlsoap.org/soap/http");
        let action = || Some(Element::new("soap:operation", []).with("soapAction", ""));
        let bound = of(interface).map(|one| operation(one, literal, action()));
        let binding = Element::new("binding", [style].into_iter().chain(bound));
        parts.push(binding.with("name", &format!("{name}Binding")).with("type", &format!("tns:{name}")));
    }
    let ports = interfaces.iter().map(|interface| {
        let name = interface.name;
        let path = if interface.path.is_empty() { "/api/subscribe/notify/NETWORK" } else { interface.path };
        let address = Element::new("soap:address", []).with("location", &format!("https://HOST{path}"));
        let port = Element::new("port", [address]).with("name", name).with("binding", &format!("tns:{name}Binding"));
        Element::new("service", [port]).with("name", &format!("{name}Service"))
    });
    parts.extend(ports);
    let mut document = Element::new("definitions", parts)
        .with("xmlns", WSDL)
        .with("xmlns:soap", SOAP)
        .with("xmlns:xsd", XSD)
        .with("xmlns:tns", "urn:spaza:parlayx")
        .with("targetNamespace", "urn:spaza:parlayx");
    for interface in interfaces {
        document = document.with(&format!("xmlns:{}", interface.name), interface.namespace);
    }
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned();
    document.write(&mut xml);
    Ok(xml.replace("><", ">\n<"))
}

fn local(element: &Element) -> &str {
    element.name.rsplit(':').next().unwrap_or_default()
}

/// The declaration of an element; below an interface's own fields, elements are in no namespace.
fn element(of: &Element, depth: usize, repeats: bool) -> Element {
    let mut declared = Element::new("xsd:element", []).with("name", local(of));
    if depth > 1 {
        declared = declared.with("form", "unqualified");
    }
    if repeats {
        declared = declared.with("minOccurs", "0").with("maxOccurs", "unbounded");
    }
    if of.children.is_empty() && depth > 0 {
        let kind = match local(of) {
            "amount" => "decimal",
            "endUserIdentifier" | "addresses" | "address" | "senderAddress" => "anyURI",
            _ => "string",
        };
        return declared.with("type", &format!("xsd:{kind}"));
    }
    let mut fields: Vec<Element> = Vec::new();
    for (n, child) in of.children.iter().enumerate() {
        let is_same = |other: &Element| other.name == child.name;
        if !of.children.iter().take(n).any(is_same) {
            let is_list = matches!(local(child), "item" | "namedParameters");
            fields.push(element(child, depth + 1, is_list));
        }
    }
    declared.children = vec![Element::new("xsd:complexType", [Element::new("xsd:sequence", fields)])];
    declared
}
