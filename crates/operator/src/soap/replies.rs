//! A network's replies.

use super::{
    AMOUNT_CHARGING, Malformed,
    element::Element,
    envelope::{Envelope, message, write},
    requests::Request,
};

const COMMON: &str = "http://www.csapi.org/schema/parlayx/common/v2_1";

/// The `result` of a success, where an interface has one.
const DONE: &str = "0";

/// A network's reply: in Parlay X one that is no fault means that the request was made.
pub enum Reply {
    /// It was made.
    Done,
    /// It was not made, or its outcome is unknown.
    Fault(Fault),
}

/// Why a request was not made: a service or policy exception, or a fault of SOAP itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The exception's `messageId`, such as `SVC0270`; the fault's code where there is no exception.
    pub code: String,
    /// For a person.
    text: String,
}

impl Fault {
    /// A service exception (`SVC…`), a policy exception (`POL…`), or another fault.
    pub fn new(code: &str, text: &str) -> Self {
        Self { code: code.to_owned(), text: text.to_owned() }
    }

    /// Whether SOAP or WS-Security did not let the request in.
    pub fn is_of_request(&self) -> bool {
        let starts =
            |prefix: &str| self.code.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        ["Client", "VersionMismatch", "MustUnderstand", "InvalidSecurity", "FailedAuthentication", "FailedCheck"]
            .into_iter()
            .chain(["UnsupportedSecurity", "UnsupportedAlgorithm", "SecurityToken", "MessageExpired"])
            .any(starts)
    }

    /// The envelope.
    pub fn to_xml(&self) -> String {
        write(&AMOUNT_CHARGING, [], self.content())
    }

    fn exception(&self) -> Option<&'static str> {
        match self.code.get(..3) {
            Some("SVC") => Some("ServiceException"),
            Some("POL") => Some("PolicyException"),
            _ => None,
        }
    }

    fn content(&self) -> Element {
        let detail = self.exception().map(|name| {
            let fields = [Element::text("messageId", &self.code), Element::text("text", &self.text)];
            let exception = Element::new(&format!("c:{name}"), fields).with("xmlns:c", COMMON);
            Element::new("detail", [exception])
        });
        let head = [Element::text("faultcode", &self.code), Element::text("faultstring", &self.text)];
        Element::new("soapenv:Fault", head.into_iter().chain(detail))
    }
}

impl Reply {
    /// The content of the reply to a request that was made.
    pub fn content(request: &Request) -> Element {
        let fields = match request {
            Request::Stop(_) => {
                let fields = [Element::text("result", DONE), Element::text("resultDescription", "Success")];
                Some(Element::new("unSubscribeProductRsp", fields))
            }
            Request::Sms(sms) => Some(Element::text("result", &sms.key)),
            Request::Charge(_) | Request::Refund(_) => None,
        };
        message(&format!("{}Response", request.operation()), fields)
    }

    /// The envelope of the reply to a request that was made.
    pub fn done(request: &Request) -> String {
        write(request.interface(), [], Self::content(request))
    }

    /// Parses the envelope of the reply to a request.
    pub fn parse(xml: &[u8], request: &Request) -> Result<Self, Malformed> {
        let reply = Envelope::parse(xml)?.content;
        if reply.name == "Fault" {
            let code = reply.readable(&["detail", "messageId"]).or_else(|| {
                let code = reply.readable(&["faultcode"])?;
                code.rsplit(':').next().map(str::to_owned)
            });
            let text = reply.readable(&["faultstring"]).unwrap_or_default();
            return Ok(Self::Fault(Fault { code: code.unwrap_or_default(), text }));
        }
        if reply.name != format!("{}Response", request.operation()) {
            return Err(Malformed);
        }
        // SubscribeManage reports failures by a result.
        let result = matches!(request, Request::Stop(_)).then(|| reply.readable(&["result"])).flatten();
        let text = reply.readable(&["resultDescription"]).unwrap_or_default();
        Ok(match result {
            Some(code) if code != DONE => Self::Fault(Fault { code, text }),
            _ => Self::Done,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{StopRequest, soap::envelope::envelope};

    fn stop() -> Request {
        let network_subscription_id = "7".to_owned();
        Request::Stop(StopRequest { msisdn: "27812345678".to_owned(), svc_id: 150, network_subscription_id })
    }

    #[test]
    fn fault_is_known_by_its_exception_or_its_code() {
        let exception = |name: &str, code: &str| {
            format!(
                "<faultcode>soapenv:Server</faultcode><faultstring>no</faultstring><detail><ns1:{name} xmlns:ns1=\"x\">\
                 <messageId> {code} </messageId><text>The charge was not applied</text></ns1:{name}></detail>"
            )
        };
        for (fault, code, is_of_request) in [
            (exception("ServiceException", "SVC0270"), "SVC0270", false),
            (exception("PolicyException", "POL0002"), "POL0002", false),
            ("<faultcode>SVC0001</faultcode><detail/>".to_owned(), "SVC0001", false),
            ("<faultcode>soapenv:Client</faultcode>".to_owned(), "Client", true),
            ("<faultcode>wsse:FailedAuthentication</faultcode>".to_owned(), "FailedAuthentication", true),
            ("<faultcode>Server.Timeout</faultcode><detail><x/></detail>".to_owned(), "Server.Timeout", false),
            (String::new(), "", false),
        ] {
            let xml = envelope(&format!("<s:Fault>{fault}</s:Fault>"));
            let Ok(Reply::Fault(read)) = Reply::parse(xml.as_bytes(), &stop()) else { panic!("{fault}") };
            assert_eq!((read.code.as_str(), read.is_of_request()), (code, is_of_request), "{fault}");
        }
    }

    #[test]
    fn reply_is_done_where_it_is_the_operations_own_and_names_no_failure() {
        let result = |code: &str| {
            format!(
                "<n:unSubscribeProductResponse><n:unSubscribeProductRsp><result>{code}</result></n:unSubscribeProductRsp></n:unSubscribeProductResponse>"
            )
        };
        let read = |body: &str| Reply::parse(envelope(body).as_bytes(), &stop());
        assert!(matches!(read(&result("0")), Ok(Reply::Done)));
        assert!(matches!(read("<unSubscribeProductResponse/>"), Ok(Reply::Done)));
        assert!(matches!(read(&result("2031")), Ok(Reply::Fault(fault)) if fault.code == "2031"));
        for body in ["<chargeAmountResponse/>", "", "<html/>"] {
            assert!(read(body).is_err(), "{body}");
        }
        assert!(matches!(Reply::parse(Reply::done(&stop()).as_bytes(), &stop()), Ok(Reply::Done)));
    }
}
